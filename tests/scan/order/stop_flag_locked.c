/* A flag to stop, with and without the lock. */
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

static bool stop, halt;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static bool should_stop(void)
{
	bool r;

	pthread_mutex_lock(&m);
	r = stop; // NORACE
	pthread_mutex_unlock(&m);
	return r;
}

static void *worker(void *arg)
{
	while (!should_stop())
		if (halt) // RACE
			break;
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&m);
	stop = true; // NORACE
	pthread_mutex_unlock(&m);
	halt = true; // RACE
	pthread_join(t, NULL);
	return 0;
}
