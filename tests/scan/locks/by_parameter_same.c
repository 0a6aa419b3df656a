/* The lock is a parameter, and always the right one. */
#include <pthread.h>

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int one, two;

static void add(pthread_mutex_t *lock, int *value)
{
	pthread_mutex_lock(lock);
	*value += 1; // NORACE
	pthread_mutex_unlock(lock);
}

static void *left(void *arg)
{
	add(&first_lock, &one);
	add(&second_lock, &two);
	return NULL;
}

static void *right(void *arg)
{
	add(&second_lock, &two);
	add(&first_lock, &one);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, left, NULL);
	pthread_create(&b, NULL, right, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return one + two; // NORACE
}
