/* The result is kept in a variable and tested later; a loop tries until it works. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int by_test, by_loop;

static void *tester(void *arg)
{
	int busy = pthread_mutex_trylock(&m);

	sched_yield();
	if (busy == EBUSY)
		return NULL;
	by_test++; // NORACE
	by_loop++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *looper(void *arg)
{
	while (pthread_mutex_trylock(&m) != 0)
		sched_yield();
	by_test++; // NORACE
	by_loop++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, tester, NULL);
	pthread_create(&b, NULL, looper, NULL);
	pthread_create(&c, NULL, tester, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return by_test + by_loop; // NORACE
}
