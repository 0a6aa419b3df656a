/* Four workers meet at a barrier that was made for two: a pair that is behind it may read parts
 * that nobody has written yet.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#define WORKERS 4

static pthread_barrier_t barrier;
static int part[WORKERS], sums[WORKERS];

static void *worker(void *arg)
{
	int own = (int)(long)arg;

	part[own] = 1; /* BUG */
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < WORKERS; i++)
		sums[own] += part[i]; /* BUG */
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS];

	pthread_barrier_init(&barrier, NULL, WORKERS / 2); /* BUG */
	for (long i = 0; i < WORKERS; i++) {
		pthread_create(&workers[i], NULL, worker, (void *)i);
		usleep(2000);
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	assert(sums[WORKERS - 1] == WORKERS);
	return 0;
}
