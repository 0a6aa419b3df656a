/* main never gives its locks back, but the thread takes them in the same order. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m); // NODEADLOCK
	pthread_mutex_lock(&n); // NODEADLOCK
	pthread_mutex_unlock(&n);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&m); // NODEADLOCK
	pthread_mutex_lock(&n); // NODEADLOCK
	return 0;
}
