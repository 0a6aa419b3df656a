/* Threads are joined in another order, and from a struct of handles. */
#include <pthread.h>

struct pool {
	pthread_t workers[4];
	pthread_t logger;
	int jobs;
	int lines;
} pool;

void *work(void *arg)
{
	struct pool *p = arg;

	p->jobs++; // RACE
	return NULL;
}

void *logging(void *arg)
{
	struct pool *p = arg;

	p->lines++; // NORACE
	return NULL;
}

static void start(struct pool *p)
{
	for (int i = 0; i < 4; i++)
		pthread_create(&p->workers[i], NULL, work, p);
	pthread_create(&p->logger, NULL, logging, p);
}

static void stop(struct pool *p)
{
	for (int i = 3; i >= 0; i--)
		pthread_join(p->workers[i], NULL);
	p->jobs = 0; // NORACE
	pthread_join(p->logger, NULL);
	p->lines = 0; // NORACE
}

int main(void)
{
	pool.jobs = 0; // NORACE
	start(&pool);
	stop(&pool);
	return pool.jobs + pool.lines; // NORACE
}
