/* pool_shutdown.c, mended: the flag is set and looked at under the lock.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static atomic_int stop;
static int jobs = 4, done;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!atomic_load(&stop)) {
		if (jobs > 0) {
			jobs--;
			done++;
		} else {
			pthread_cond_wait(&work, &lock);
		}
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t workers[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	atomic_store(&stop, 1);
	pthread_cond_broadcast(&work);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return done > 4;
}
