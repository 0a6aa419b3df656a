/* Threads are started through a table of functions. */
#include <pthread.h>

typedef void *(*start_fn)(void *);

static int shared, only_b;

static void *a(void *arg)
{
	shared++; // RACE
	return NULL;
}

static void *b(void *arg)
{
	shared++; // RACE
	only_b++; // NORACE
	return NULL;
}

static const start_fn table[2] = {a, b};

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, table[i], NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return shared; // NORACE
}
