/* The lock is held only where trylock said 0. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int taken, refused;

static void *worker(void *arg)
{
	if (pthread_mutex_trylock(&m) == 0) {
		taken++;                  // NORACE
		pthread_mutex_unlock(&m); // NOMISUSE
	} else {
		refused++; // RACE
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
	return taken + refused; // NORACE
}
