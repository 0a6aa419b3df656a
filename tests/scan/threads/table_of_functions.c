/* The functions that threads run come from a table. */
#include <pthread.h>

static int shared_total, only_first;

static void *first(void *arg)
{
	shared_total++; // RACE
	only_first++;   // NORACE
	return NULL;
}

static void *second(void *arg)
{
	shared_total--; // RACE
	return NULL;
}

static void *(*const entries[])(void *) = {first, second};

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, entries[i], NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return shared_total + only_first; // NORACE
}
