// allow: lock-misuse
/* The result of trylock is taken for a boolean. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void *worker(void *arg)
{
	if (pthread_mutex_trylock(&m)) {
		taken++; // RACE
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return taken; // NORACE
}
