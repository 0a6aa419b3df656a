/* A recursive mutex stays held after the inner unlock. */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int outer, inner;

static void nested(void)
{
	pthread_mutex_lock(&m); // NOMISUSE
	inner++;                // NORACE
	pthread_mutex_unlock(&m);
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	nested();
	outer++;                  // NORACE
	pthread_mutex_unlock(&m); // NOMISUSE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return outer + inner; // NORACE
}
