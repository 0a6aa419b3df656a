/* A variable holds the locking function; the other branch does nothing. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int guarded;

static int nothing(pthread_mutex_t *unused)
{
	return 0;
}

static void *strict(void *arg)
{
	int (*enter)(pthread_mutex_t *) = pthread_mutex_lock;
	int (*leave)(pthread_mutex_t *) = pthread_mutex_unlock;

	enter(&m);
	guarded++; // RACE
	leave(&m);
	return NULL;
}

static void *sloppy(void *arg)
{
	int (*enter)(pthread_mutex_t *) = nothing;

	enter(&m);
	guarded--; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, strict, NULL);
	pthread_create(&b, NULL, sloppy, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return guarded; // NORACE
}
