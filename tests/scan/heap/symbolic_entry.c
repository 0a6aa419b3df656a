/* An entry of a cache, by pointer: its own mutex protects its counter, whichever entry it is. */
#include <pthread.h>
#include <stdlib.h>

struct entry {
	int refs;
	pthread_mutex_t lock;
} cache[10];

static void addref(struct entry *e)
{
	pthread_mutex_lock(&e->lock);
	e->refs++; // NORACE
	pthread_mutex_unlock(&e->lock);
}

static void *t_fun(void *arg)
{
	for (int i = 0; i < 10; i++)
		addref(&cache[i]);
	return NULL;
}

int main(void)
{
	pthread_t t1;

	for (int i = 0; i < 10; i++)
		pthread_mutex_init(&cache[i].lock, NULL);
	pthread_create(&t1, NULL, t_fun, NULL);
	for (int i = 0; i < 10; i++)
		addref(&cache[i]);
	addref(&cache[5]);
	pthread_join(t1, NULL);
	return 0;
}
