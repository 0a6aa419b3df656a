/* barrier_count.c, mended: the barrier is made for all of them, and nobody meets it twice.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#define WORKERS 4

static pthread_barrier_t barrier;
static int part[WORKERS], sums[WORKERS];

static void *worker(void *arg)
{
	int own = (int)(long)arg;

	part[own] = 1;
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < WORKERS; i++)
		sums[own] += part[i];
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS];

	pthread_barrier_init(&barrier, NULL, WORKERS);
	for (long i = 0; i < WORKERS; i++) {
		pthread_create(&workers[i], NULL, worker, (void *)i);
		usleep(2000);
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	for (int i = 0; i < WORKERS; i++)
		assert(sums[i] == WORKERS);
	return 0;
}
