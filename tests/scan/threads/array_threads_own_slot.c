/* Each thread writes the element whose number it was given. */
#include <pthread.h>

#define N 8

static int results[N], total;

static void *worker(void *arg)
{
	long id = (long)arg;

	results[id] = (int)id * 2; // NORACE
	for (int i = 0; i < 10; i++)
		results[id]++; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t[N];

	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < N; i++)
		total += results[i]; // NORACE
	return total;
}
