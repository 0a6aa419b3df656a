/* Every way out of step() keeps the lock. */
// scan: --config config/majority.conf
// allow: lock-misuse
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void step(void)
{
	pthread_mutex_lock(&a);
}

static void *first(void *arg)
{
	step();
	pthread_mutex_lock(&b); // DEADLOCK
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&b);
	x++;                    // NORACE
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
