/* Locks of the program's own: allocated, with an error check behind every call. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct bolt {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	long value;
};

struct pool {
	struct bolt *have;
	int limit, made;
};

static struct pool in_pool, out_pool;
static int loose;

static void fail(int err)
{
	fprintf(stderr, "error %d\n", err);
	exit(1);
}

static struct bolt *new_bolt(long value)
{
	struct bolt *b = malloc(sizeof(*b));

	pthread_mutex_init(&b->mutex, NULL);
	pthread_cond_init(&b->cond, NULL);
	b->value = value; // NORACE
	return b;
}

static void possess(struct bolt *b)
{
	int r = pthread_mutex_lock(&b->mutex);

	if (r)
		fail(r);
}

static void release(struct bolt *b)
{
	int r = pthread_mutex_unlock(&b->mutex);

	if (r)
		fail(r);
}

static void make(struct pool *p)
{
	possess(p->have);     // NORACE
	while (p->limit == 0) // NORACE
		pthread_cond_wait(&p->have->cond, &p->have->mutex);
	p->limit--; // NORACE
	p->made++;  // NORACE
	release(p->have);
	loose++; // RACE
}

static void *worker(void *arg)
{
	make(&in_pool);
	make(&out_pool);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	in_pool.have = new_bolt(1);
	out_pool.have = new_bolt(2);
	in_pool.limit = out_pool.limit = 9; // NORACE
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return in_pool.made + out_pool.made + loose; // NORACE
}
