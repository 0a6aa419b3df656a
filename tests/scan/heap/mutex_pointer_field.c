/* The mutex is allocated apart, and the object has a pointer to it. */
#include <pthread.h>
#include <stdlib.h>

struct counter {
	pthread_mutex_t *lock;
	int n, wild;
};

static struct counter *shared;

static void *worker(void *arg)
{
	pthread_mutex_lock(shared->lock);   // NORACE
	shared->n++;                        // NORACE
	pthread_mutex_unlock(shared->lock); // NORACE
	shared->wild++;                     // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	shared = calloc(1, sizeof(*shared));
	shared->lock = malloc(sizeof(*shared->lock));
	pthread_mutex_init(shared->lock, NULL);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return shared->n; // NORACE
}
