/* Main holds the lock that the thread needs, and waits for the thread. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&m); // DEADLOCK
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, t_fun, NULL);
	pthread_mutex_lock(&n);
	pthread_mutex_lock(&m);
	pthread_join(t, NULL); // DEADLOCK
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	return 0;
}
