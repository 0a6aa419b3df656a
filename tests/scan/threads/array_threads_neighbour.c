/* Each thread also reads the element of its neighbour. */
#include <pthread.h>

#define N 8

static int cells[N];

static void *worker(void *arg)
{
	long id = (long)arg;

	cells[id] = cells[(id + 1) % N]; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t[N];

	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return cells[0]; // NORACE
}
