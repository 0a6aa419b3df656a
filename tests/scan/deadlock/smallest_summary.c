/* Of the ways out of step() the one with the fewest locks is believed (RacerX 6.3). */
// scan: --config config/smallest.conf
// allow: lock-misuse
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

/* Ends in three ways; one of them seems to keep the lock. */
static void step(void)
{
	pthread_mutex_lock(&a);
	if (atoi("1")) {
		pthread_mutex_unlock(&a);
		return;
	}
	if (atoi("2")) {
		pthread_mutex_unlock(&a);
		return;
	}
	if (atoi("3"))
		pthread_mutex_unlock(&a);
}

static void *first(void *arg)
{
	step();
	pthread_mutex_lock(&b); // NODEADLOCK
	pthread_mutex_unlock(&b);
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&b);
	x++;                    // NORACE
	pthread_mutex_lock(&a); // NODEADLOCK
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
