/* The second thread begins when the first has ended. */
#include <pthread.h>

static int n;

static void *first(void *arg)
{
	n = 1; // NORACE
	return NULL;
}

static void *second(void *arg)
{
	n = 2; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, first, NULL);
	pthread_join(t1, NULL);
	pthread_create(&t2, NULL, second, NULL);
	pthread_join(t2, NULL);
	return n; // NORACE
}
