/* An array of argument structs; results come back in it. */
#include <pthread.h>

#define N 4

struct job {
	int from, to;
	long sum;
};

static void *worker(void *arg)
{
	struct job *j = arg;

	j->sum = 0;                           // NORACE
	for (int i = j->from; i < j->to; i++) // NORACE
		j->sum += i;                  // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	struct job jobs[N];
	long total = 0;

	for (int i = 0; i < N; i++) {
		jobs[i].from = i * 100;     // NORACE
		jobs[i].to = (i + 1) * 100; // NORACE
		pthread_create(&t[i], NULL, worker, &jobs[i]);
	}
	for (int i = 0; i < N; i++) {
		pthread_join(t[i], NULL);
		total += jobs[i].sum; // NORACE
	}
	return total == 0;
}
