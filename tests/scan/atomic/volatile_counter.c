/* volatile does not make an increment atomic. */
#include <pthread.h>

static volatile int hits;

static void *worker(void *arg)
{
	for (int i = 0; i < 100; i++)
		hits++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return hits; // NORACE
}
