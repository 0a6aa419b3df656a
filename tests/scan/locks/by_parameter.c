/* The lock is a parameter: the helper locks whatever it is given. */
#include <pthread.h>

static pthread_mutex_t right_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t wrong_lock = PTHREAD_MUTEX_INITIALIZER;
static int good, bad;

static void add(pthread_mutex_t *lock, int *value)
{
	pthread_mutex_lock(lock);
	*value += 1; // RACE
	pthread_mutex_unlock(lock);
}

static void *left(void *arg)
{
	add(&right_lock, &good);
	add(&right_lock, &bad);
	return NULL;
}

static void *right(void *arg)
{
	add(&right_lock, &good);
	add(&wrong_lock, &bad);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, left, NULL);
	pthread_create(&b, NULL, right, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return good + bad; // NORACE
}
