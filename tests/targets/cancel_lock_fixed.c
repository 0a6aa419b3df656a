/* cancel_lock.c, mended: a clean-up handler unlocks.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int begun;
static int lines;

static void unlock(void *m)
{
	pthread_mutex_unlock(m);
}

static void log_line(void)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(unlock, &lock);
	lines++;
	pthread_testcancel();
	pthread_cleanup_pop(1);
}

static void *logger(void *arg)
{
	atomic_store(&begun, 1);
	for (int i = 0; i < 3; i++)
		log_line();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, logger, NULL);
	while (!atomic_load(&begun))
		usleep(1000);
	pthread_cancel(t);
	pthread_join(t, NULL);
	pthread_mutex_lock(&lock);
	lines++;
	pthread_mutex_unlock(&lock);
	return 0;
}
