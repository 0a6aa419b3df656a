/* main takes the second lock when it has joined a thread that the other one creates behind its own
 * two locks: they never wait for each other. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER;
static pthread_t helper_id;
static int ready, early;

static void *helper(void *arg)
{
	return NULL;
}

static void *worker(void *arg)
{
	early = 1;              // NORACE
	pthread_mutex_lock(&n); // NODEADLOCK
	pthread_mutex_lock(&m); // NODEADLOCK
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	pthread_mutex_lock(&name);
	pthread_create(&helper_id, NULL, helper, NULL);
	ready = 1; // NORACE
	pthread_mutex_unlock(&name);
	return NULL;
}

int main(void)
{
	pthread_t t, id;
	int go;

	pthread_create(&t, NULL, worker, NULL);
	do {
		pthread_mutex_lock(&name);
		go = ready;     // NORACE
		id = helper_id; // NORACE
		pthread_mutex_unlock(&name);
	} while (!go);
	pthread_join(id, NULL);
	pthread_mutex_lock(&m); // NODEADLOCK
	pthread_mutex_lock(&n); // NODEADLOCK
	pthread_mutex_unlock(&n);
	pthread_mutex_unlock(&m);
	return early; // NORACE
}
