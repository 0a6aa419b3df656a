/* The lock is taken for some values only, the access happens for all. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void update(int v)
{
	int big = v > 100;

	if (big)
		pthread_mutex_lock(&m);
	value += v; // RACE
	if (big)
		pthread_mutex_unlock(&m);
}

static void *worker(void *arg)
{
	update(*(int *)arg);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int small = 5, large = 500;

	pthread_create(&a, NULL, worker, &small);
	pthread_create(&b, NULL, worker, &large);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return value; // NORACE
}
