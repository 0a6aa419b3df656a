/* main has joined a thread that the other one creates before its own two locks: that orders
 * nothing. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER;
static pthread_t helper_id;
static int ready, late;

static void *helper(void *arg)
{
	return NULL;
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&name);
	pthread_create(&helper_id, NULL, helper, NULL);
	ready = 1; // NORACE
	pthread_mutex_unlock(&name);
	pthread_mutex_lock(&n); // DEADLOCK
	pthread_mutex_lock(&m); // DEADLOCK
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	late = 1; // RACE
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
	pthread_mutex_lock(&m); // DEADLOCK
	pthread_mutex_lock(&n); // DEADLOCK
	pthread_mutex_unlock(&n);
	pthread_mutex_unlock(&m);
	return late; // RACE
}
