/* Who cannot have both gives the first one back. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); // NODEADLOCK
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}

static void *two(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&b);
		if (pthread_mutex_trylock(&a) == 0) // NODEADLOCK
			break;
		pthread_mutex_unlock(&b);
	}
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
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
