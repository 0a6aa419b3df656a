/* Each thread gives its buffer back to a pool when it ends.  Main joins them before it takes the
 * pool apart.
 *
 * kind: none */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 2

struct pool {
	pthread_mutex_t lock;
	int free_buffers;
	void *buffers[THREADS];
};

static struct pool *pool;
static pthread_key_t key;
static sem_t done;

static void give_back(void *buffer)
{
	pthread_mutex_lock(&pool->lock);
	pool->buffers[pool->free_buffers++] = buffer;
	pthread_mutex_unlock(&pool->lock);
}

static void *worker(void *arg)
{
	pthread_setspecific(key, malloc(64));
	sem_post(&done);
	return arg;
}

int main(void)
{
	pthread_t threads[THREADS];

	pool = calloc(1, sizeof(*pool));
	pthread_mutex_init(&pool->lock, NULL);
	pthread_key_create(&key, give_back);
	sem_init(&done, 0, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < THREADS; i++)
		sem_wait(&done);
	usleep(10000);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < pool->free_buffers; i++)
		free(pool->buffers[i]);
	free(pool);
	return 0;
}
