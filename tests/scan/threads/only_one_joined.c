/* Of two threads only one is waited for. */
#include <pthread.h>

static int a, b;

static void *first(void *arg)
{
	a = 1; // NORACE
	return NULL;
}

static void *second(void *arg)
{
	b = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, first, NULL);
	pthread_create(&t2, NULL, second, NULL);
	pthread_join(t1, NULL);
	return a    // NORACE
	       + b; // RACE
}
