/* The pointer names one mutex or the other: neither can be relied upon. */
#include <pthread.h>

static pthread_mutex_t even_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t odd_lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *arg)
{
	int id = *(int *)arg;
	pthread_mutex_t *p = id % 2 ? &odd_lock : &even_lock;

	pthread_mutex_lock(p);
	n++; // RACE
	pthread_mutex_unlock(p);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int ids[2] = {1, 2};

	pthread_create(&a, NULL, worker, &ids[0]);
	pthread_create(&b, NULL, worker, &ids[1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return n; // NORACE
}
