/* A counter of lookups is kept under the read lock. */
#include <pthread.h>

struct cache {
	pthread_rwlock_t rw;
	int entries[16];
	int lookups;
	int inserts;
} cache = {PTHREAD_RWLOCK_INITIALIZER, {0}, 0, 0};

static int lookup(struct cache *c, int k)
{
	int v;

	pthread_rwlock_rdlock(&c->rw);
	v = c->entries[k % 16]; // NORACE
	c->lookups++;           // RACE
	pthread_rwlock_unlock(&c->rw);
	return v;
}

static void insert(struct cache *c, int k, int v)
{
	pthread_rwlock_wrlock(&c->rw);
	c->entries[k % 16] = v; // NORACE
	c->inserts++;           // NORACE
	pthread_rwlock_unlock(&c->rw);
}

void *t_fun(void *arg)
{
	for (int i = 0; i < 10; i++)
		if (!lookup(&cache, i))
			insert(&cache, i, i);
	return NULL;
}

int main(void)
{
	pthread_t id[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&id[i], NULL, t_fun, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(id[i], NULL);
	return cache.lookups; // NORACE
}
