/* Tries until it has the lock. */
#include <pthread.h>
#include <sched.h>

static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	while (pthread_mutex_trylock(&m) != 0)
		sched_yield();
	n++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	while (pthread_mutex_trylock(&m))
		;
	n--; // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return 0;
}
