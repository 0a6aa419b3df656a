/* An atomic counter that somebody resets with a plain store, under a lock that does not help. */
#include <pthread.h>

static unsigned long served;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	for (int i = 0; i < 10; i++)
		__sync_fetch_and_add(&served, 1); // RACE
	return NULL;
}

static void *resetter(void *arg)
{
	pthread_mutex_lock(&m);
	served = 0; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, resetter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return (int)served; // NORACE
}
