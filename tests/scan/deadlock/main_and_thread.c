/* Main has one order before the thread exists, and the other while it runs. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
		       c = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); // NODEADLOCK
	pthread_mutex_unlock(&b);
	pthread_mutex_lock(&c); // DEADLOCK
	pthread_mutex_unlock(&c);
	pthread_mutex_unlock(&a);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); // NODEADLOCK
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	pthread_create(&t, NULL, one, NULL);
	pthread_mutex_lock(&c);
	pthread_mutex_lock(&a); // DEADLOCK
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&c);
	pthread_join(t, NULL);
	return 0;
}
