/* When a thread cannot be created, those that run are joined before the pool is freed; of two that
 * are created one after the other, the first one is. */
#include <pthread.h>
#include <stdlib.h>

struct pool {
	pthread_mutex_t m;
	int busy;
	pthread_t ids[8];
};

static void *worker(void *arg)
{
	struct pool *p = arg;

	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&p->m);
		p->busy++; // NORACE
		pthread_mutex_unlock(&p->m);
	}
	return NULL;
}

static struct pool *pool_new(void)
{
	struct pool *p = calloc(1, sizeof(*p));

	pthread_mutex_init(&p->m, NULL);
	for (int i = 0; i < 8; i++)
		if (pthread_create(&p->ids[i], NULL, worker, p)) {
			while (i-- > 0)
				pthread_join(p->ids[i], NULL);
			free(p); // NORACE
			return NULL;
		}
	return p;
}

static void *reader(void *arg)
{
	return (void *)(long)*(int *)arg; // NORACE
}

static int pair(void)
{
	int *shared = calloc(1, sizeof(*shared)), error = 1;
	pthread_t a, b;

	if (pthread_create(&a, NULL, reader, shared))
		goto out;
	error = pthread_create(&b, NULL, reader, shared);
	if (error == 0)
		pthread_join(b, NULL);
	pthread_join(a, NULL);
out:
	free(shared); // NORACE
	return error;
}

int main(void)
{
	struct pool *p = pool_new();

	for (int i = 0; p && i < 8; i++)
		pthread_join(p->ids[i], NULL);
	return pair();
}
