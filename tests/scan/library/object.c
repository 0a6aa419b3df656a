/* An object with its lock, in a library: one of five methods forgets it. */
// norun
#include <pthread.h>

struct pool {
	pthread_mutex_t lock;
	int size, free;
};

int pool_take(struct pool *p)
{
	int ok = 0;

	pthread_mutex_lock(&p->lock);
	if (p->free > 0) { // RACE
		p->free--; // RACE
		ok = 1;
	}
	pthread_mutex_unlock(&p->lock);
	return ok;
}

void pool_give(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->free++; // RACE
	pthread_mutex_unlock(&p->lock);
}

void pool_grow(struct pool *p, int n)
{
	pthread_mutex_lock(&p->lock);
	p->size += n; // NORACE
	p->free += n; // RACE
	pthread_mutex_unlock(&p->lock);
}

int pool_free(struct pool *p)
{
	int n;

	pthread_mutex_lock(&p->lock);
	n = p->free; // RACE
	pthread_mutex_unlock(&p->lock);
	return n;
}

void pool_reset(struct pool *p)
{
	p->free = p->free / 2; // RACE
}
