/* Updated with atomics, read plainly while the threads run. */
#include <pthread.h>

static long hits;

static void *worker(void *arg)
{
	__atomic_add_fetch(&hits, 1, __ATOMIC_RELAXED); // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	long seen;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	seen = hits; // RACE
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return seen > hits; // NORACE
}
