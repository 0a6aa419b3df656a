/* phase.c, mended: the count is compared with the number of workers.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#define WORKERS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t begin;
static int done, part[WORKERS];

static void end_phase(void)
{
	pthread_mutex_lock(&lock);
	done++;
	pthread_cond_broadcast(&moved);
	while (done < WORKERS)
		pthread_cond_wait(&moved, &lock);
	pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
	int own = (int)(long)arg;

	pthread_barrier_wait(&begin);
	part[own] = own + 1;
	end_phase();
	usleep(5000); /* shows the part */
	if (own > 0)
		assert(part[own - 1] == own);
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS];

	pthread_barrier_init(&begin, NULL, WORKERS);
	for (long i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, worker, (void *)i);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return 0;
}
