/* The locking functions are called through pointers in a struct. */
#include <pthread.h>

struct ops {
	int (*take)(pthread_mutex_t *);
	int (*give)(pthread_mutex_t *);
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const struct ops ops = {pthread_mutex_lock, pthread_mutex_unlock};
static int safe, bare;

static void *t_fun(void *arg)
{
	ops.take(&m);
	safe++; // NORACE
	ops.give(&m);
	bare++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	ops.take(&m);
	safe--; // NORACE
	ops.give(&m);
	bare--; // RACE
	pthread_join(id, NULL);
	return 0;
}
