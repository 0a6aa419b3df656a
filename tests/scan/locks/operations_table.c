/* The locking functions are called through a table of operations. */
#include <pthread.h>

struct lock_ops {
	int (*acquire)(pthread_mutex_t *);
	int (*release)(pthread_mutex_t *);
};

static const struct lock_ops mutex_ops = {pthread_mutex_lock, pthread_mutex_unlock};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int guarded, bare;

static void run(const struct lock_ops *ops)
{
	ops->acquire(&m);
	guarded++; // NORACE
	ops->release(&m);
	bare++; // RACE
}

static void *worker(void *arg)
{
	run(&mutex_ops);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return guarded + bare; // NORACE
}
