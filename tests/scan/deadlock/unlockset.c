/* What odd() says is the same twice, but nobody can know: on a path that is none, `a` is still held
 * behind step().  Nothing there ever releases it, so it hardly is (RacerX 6.5). */
// allow: lock-misuse
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void step(int n)
{
	if (atoi("1") == n)
		pthread_mutex_lock(&a);
	y++; // MAYBE RACE
	if (atoi("1") == n)
		pthread_mutex_unlock(&a);
}

static void *first(void *arg)
{
	step(1);
	pthread_mutex_lock(&b); // NODEADLOCK
	x++;                    // NORACE
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
