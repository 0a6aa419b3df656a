/* The fourth philosopher begins on the right: no cycle. */
#include <pthread.h>

static pthread_mutex_t north = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t east = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t south = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t west = PTHREAD_MUTEX_INITIALIZER;
static int meals;

static void eat(pthread_mutex_t *first, pthread_mutex_t *then)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(then); // NODEADLOCK
	__atomic_add_fetch(&meals, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(then);
	pthread_mutex_unlock(first);
}

static void *plato(void *arg)
{
	eat(&north, &east);
	return NULL;
}

static void *hume(void *arg)
{
	eat(&east, &south);
	return NULL;
}

static void *kant(void *arg)
{
	eat(&south, &west);
	return NULL;
}

static void *mill(void *arg)
{
	eat(&north, &west);
	return NULL;
}

int main(void)
{
	void *(*const who[])(void *) = {plato, hume, kant, mill};
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, who[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return meals;
}
