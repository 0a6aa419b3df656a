/* Unlocks another mutex than the one it locked. */
// allow: data-race
#include <pthread.h>

static pthread_mutex_t in_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static int in, out;

static void *worker(void *arg)
{
	pthread_mutex_lock(&in_lock);
	in++;
	pthread_mutex_unlock(&in_lock);
	pthread_mutex_lock(&out_lock); // MAYBE MISUSE
	out++;
	pthread_mutex_unlock(&in_lock); // MISUSE
	return NULL;
}

int main(void)
{
	pthread_t a;

	pthread_create(&a, NULL, worker, NULL);
	pthread_join(a, NULL);
	return in + out;
}
