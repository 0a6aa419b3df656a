/* A global pointer to the mutex, set once before the threads start. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *big_lock;
static int n;

static void *worker(void *arg)
{
	pthread_mutex_lock(big_lock);   // NORACE
	n++;                            // NORACE
	pthread_mutex_unlock(big_lock); // NORACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	big_lock = malloc(sizeof(*big_lock));
	pthread_mutex_init(big_lock, NULL);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_mutex_destroy(big_lock);
	free(big_lock);
	return n; // NORACE
}
