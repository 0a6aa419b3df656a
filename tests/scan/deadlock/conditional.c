/* The first lock is taken under a condition that excludes the second one. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void update(int with_a)
{
	if (with_a)
		pthread_mutex_lock(&a);
	if (!with_a)
		pthread_mutex_lock(&b); // NODEADLOCK
	__atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
	if (!with_a)
		pthread_mutex_unlock(&b);
	if (with_a)
		pthread_mutex_unlock(&a);
}

static void *first(void *arg)
{
	int flag = *(int *)arg;

	update(flag);
	return NULL;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); // NODEADLOCK
	__atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return NULL;
}

int main(void)
{
	pthread_t s, t;
	int flag = 1;

	pthread_create(&s, NULL, first, &flag);
	pthread_create(&t, NULL, second, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return n;
}
