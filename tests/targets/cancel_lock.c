/* A thread is cancelled while it holds a lock, at a cancellation point inside; nobody unlocks it,
 * and the next one waits for ever.
 *
 * kind: deadlock
 * harm: deadlock, hang */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int begun;
static int lines;

static void log_line(void)
{
	pthread_mutex_lock(&lock);
	lines++;
	pthread_testcancel(); /* BUG */
	pthread_mutex_unlock(&lock);
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
	pthread_mutex_lock(&lock); /* BUG */
	lines++;
	pthread_mutex_unlock(&lock);
	return 0;
}
