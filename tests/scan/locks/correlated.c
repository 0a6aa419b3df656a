/* if (x) lock; ...; if (x) unlock: only two of the four paths exist. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value, calls;

static void update(int threaded, int v)
{
	if (threaded)
		pthread_mutex_lock(&m);
	value = v; // NORACE
	if (threaded)
		pthread_mutex_unlock(&m);
}

static void *worker(void *arg)
{
	update(1, 2);
	pthread_mutex_lock(&m);
	calls++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	update(0, 1);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	update(0, 3);
	return value + calls; // NORACE
}
