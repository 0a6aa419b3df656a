/* transpose.c, mended: the macro is a barrier.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#define SIZE      3

#define BARRIER() pthread_barrier_wait(&barrier)

static pthread_barrier_t barrier;
static int matrix[SIZE][SIZE], sums[SIZE];

static void *worker(void *arg)
{
	int own = (int)(long)arg;

	for (int i = 0; i < SIZE; i++)
		matrix[own][i] = 1;
	BARRIER();
	for (int i = 0; i < SIZE; i++)
		sums[own] += matrix[i][own];
	return NULL;
}

int main(void)
{
	pthread_t workers[SIZE];

	pthread_barrier_init(&barrier, NULL, SIZE);
	for (long i = 0; i < SIZE; i++) {
		pthread_create(&workers[i], NULL, worker, (void *)i);
		usleep(20000);
	}
	for (int i = 0; i < SIZE; i++)
		pthread_join(workers[i], NULL);
	assert(sums[SIZE - 1] == SIZE);
	return 0;
}
