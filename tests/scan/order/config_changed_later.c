/* Set up before the threads, and changed while they run. */
#include <pthread.h>

static int size, limit;

static void *worker(void *arg)
{
	int s = 0;

	for (int i = 0; i < size; i++) // RACE
		s += limit;            // NORACE
	return (void *)(long)s;
}

int main(void)
{
	pthread_t t;

	size = 10;  // NORACE
	limit = 20; // NORACE
	pthread_create(&t, NULL, worker, NULL);
	size = 5; // RACE
	pthread_join(t, NULL);
	limit = 0; // NORACE
	return 0;
}
