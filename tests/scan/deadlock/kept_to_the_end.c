/* main never gives its locks back: the thread that takes them the other way round waits all the
 * same. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	pthread_mutex_lock(&n); // DEADLOCK
	pthread_mutex_lock(&m); // DEADLOCK
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_mutex_lock(&m); // DEADLOCK
	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&n); // DEADLOCK
	return 0;
}
