/* The same table, with a lock around what is shared. */
#include <pthread.h>

static int shared_total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
	pthread_mutex_lock(&m);
	shared_total++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&m);
	shared_total--; // NORACE
	pthread_mutex_unlock(&m);
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
	return shared_total; // NORACE
}
