/* The helper expects its callers to hold the lock, and all of them do. */
#include <pthread.h>

static int level;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void raise_level(int by)
{
	level += by; // NORACE
}

static void *careful(void *arg)
{
	pthread_mutex_lock(&m);
	raise_level(1);
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *also_careful(void *arg)
{
	pthread_mutex_lock(&m);
	for (int i = 0; i < 3; i++)
		raise_level(2);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, careful, NULL);
	pthread_create(&b, NULL, also_careful, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return level; // NORACE
}
