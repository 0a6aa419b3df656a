/* A thread pool's worker looks at the stop flag before it locks the queue to wait for work.  A
 * shutdown in between wakes nobody.
 *
 * kind: lost-wakeup
 * harm: deadlock, hang */
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static atomic_int stop;
static int jobs = 4, done;

static void *worker(void *arg)
{
	while (!atomic_load(&stop)) { /* BUG */
		pthread_mutex_lock(&lock);
		if (jobs == 0)
			pthread_cond_wait(&work, &lock); /* BUG */
		if (jobs > 0) {
			jobs--;
			done++;
		}
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t workers[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, worker, NULL);
	atomic_store(&stop, 1);
	pthread_cond_broadcast(&work); /* BUG */
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return done > 4;
}
