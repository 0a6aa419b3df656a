/* A guard made with the cleanup attribute releases at the end of its scope. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int kept, lost;

static void release(pthread_mutex_t **p)
{
	pthread_mutex_unlock(*p);
}

static pthread_mutex_t *hold(pthread_mutex_t *p)
{
	pthread_mutex_lock(p);
	return p;
}

static void *worker(void *arg)
{
	{
		pthread_mutex_t *guard __attribute__((cleanup(release), unused)) = hold(&m);

		kept++;         // NORACE
		if (kept > 100) // NORACE
			return NULL;
	}
	lost++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return kept + lost; // NORACE
}
