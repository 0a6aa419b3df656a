/* The textbook example, and a pair that is always in order. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
		       c = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); // DEADLOCK
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_mutex_lock(&c);
	pthread_mutex_lock(&d); // NODEADLOCK
	pthread_mutex_unlock(&d);
	pthread_mutex_unlock(&c);
	return NULL;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); // DEADLOCK
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	pthread_mutex_lock(&c);
	pthread_mutex_lock(&d); // NODEADLOCK
	pthread_mutex_unlock(&d);
	pthread_mutex_unlock(&c);
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
