/* The lock of a wrapper is released behind the second one: it was held there. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void enter(void)
{
	pthread_mutex_lock(&a);
}

static void leave(void)
{
	pthread_mutex_unlock(&a);
}

static void *first(void *arg)
{
	enter();
	pthread_mutex_lock(&b); // DEADLOCK
	x++;                    // NORACE
	pthread_mutex_unlock(&b);
	leave();
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); // DEADLOCK
	x++;                    // NORACE
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, first, NULL);
	pthread_create(&t, NULL, second, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return x;
}
