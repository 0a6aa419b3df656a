/* Pointers to two different globals. */
#include <pthread.h>

static int total, rest;

static void add(int *p, int n)
{
	*p += n; // NORACE
}

static void *direct(void *arg)
{
	add(&total, 1);
	return NULL;
}

static void *by_pointer(void *arg)
{
	int *p = &rest;

	add(p, 2);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, direct, NULL);
	pthread_create(&b, NULL, by_pointer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return total + rest; // NORACE
}
