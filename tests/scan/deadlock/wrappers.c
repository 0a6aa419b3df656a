/* Locks are taken by wrappers, in opposite orders. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *m)
{
	pthread_mutex_lock(m); // DEADLOCK
}

static void give(pthread_mutex_t *m)
{
	pthread_mutex_unlock(m);
}

static void *one(void *arg)
{
	take(&a);
	take(&b);
	give(&b);
	give(&a);
	return NULL;
}

static void *two(void *arg)
{
	take(&b);
	take(&a);
	give(&a);
	give(&b);
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, one, NULL);
	pthread_create(&t2, NULL, two, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
