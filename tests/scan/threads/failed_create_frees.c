/* When a thread cannot be created, the pool is freed, while those that were created use it. */
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
		p->busy++; // RACE
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
			free(p); // RACE
			return NULL;
		}
	return p;
}

int main(void)
{
	struct pool *p = pool_new();

	for (int i = 0; p && i < 8; i++)
		pthread_join(p->ids[i], NULL);
	return 0;
}
