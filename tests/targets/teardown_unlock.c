/* The worker reports that it is done while it holds the lock, and unlocks afterwards.  The main
 * thread sees the report, and destroys and frees the lock at once.
 *
 * kind: order-violation
 * harm: heap, crash, abort, deadlock */
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
	pthread_mutex_unlock(&c->lock); /* BUG */
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
	pthread_mutex_destroy(&c->lock);
	free(c); /* BUG */
	pthread_join(t, NULL);
	return 0;
}
