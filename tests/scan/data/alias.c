/* The second thread reaches the global through a pointer. */
#include <pthread.h>

static int total;

static void *direct(void *arg)
{
	total += 1; // RACE
	return NULL;
}

static void *by_pointer(void *arg)
{
	int *p = &total;

	*p = *p + 2; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, direct, NULL);
	pthread_create(&b, NULL, by_pointer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return total; // NORACE
}
