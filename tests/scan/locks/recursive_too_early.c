/* A recursive mutex, unlocked as often as it was locked, and then the access. */
#include <pthread.h>

static pthread_mutex_t m;
static int outer;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&m); // NOMISUSE
	outer++;                // RACE
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&m); // NOMISUSE
	outer++;                  // RACE
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t attr;
	pthread_t a, b;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &attr);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return outer; // NORACE
}
