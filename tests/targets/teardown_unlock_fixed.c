/* teardown_unlock.c, mended: the worker is joined before its lock is destroyed.
 *
 * kind: none */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct channel {
	pthread_mutex_t lock;
	int sent;
	atomic_int done;
};

static void *worker(void *arg)
{
	struct channel *c = arg;

	pthread_mutex_lock(&c->lock);
	c->sent++;
	atomic_store(&c->done, 1);
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

int main(void)
{
	struct channel *c = calloc(1, sizeof(*c));
	pthread_t t;

	pthread_mutex_init(&c->lock, NULL);
	pthread_create(&t, NULL, worker, c);
	while (!atomic_load(&c->done))
		sched_yield();
	pthread_join(t, NULL);
	pthread_mutex_destroy(&c->lock);
	free(c);
	return 0;
}
