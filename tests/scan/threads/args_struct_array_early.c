/* The results are read before the threads are joined. */
#include <pthread.h>

#define N 4

struct job {
	int from;
	long sum;
};

static struct job jobs[N];

static void *worker(void *arg)
{
	struct job *j = arg;

	j->sum = j->from * 2; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	long total = 0;

	for (int i = 0; i < N; i++) {
		jobs[i].from = i; // NORACE
		pthread_create(&t[i], NULL, worker, &jobs[i]);
	}
	for (int i = 0; i < N; i++)
		total += jobs[i].sum; // RACE
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return total == 0;
}
