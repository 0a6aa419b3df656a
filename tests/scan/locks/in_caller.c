/* The helper expects its caller to hold the lock; one caller does not. */
#include <pthread.h>

static int level;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void raise_level(int by)
{
	level += by; // RACE
}

static void *careful(void *arg)
{
	pthread_mutex_lock(&m);
	raise_level(1);
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *careless(void *arg)
{
	raise_level(2);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, careful, NULL);
	pthread_create(&b, NULL, careless, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return level; // NORACE
}
