/* A wrapper turns the result of trylock around; callers test the wrapper. */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside, outside;

static bool try_enter(void)
{
	return pthread_mutex_trylock(&m) == 0;
}

static void *worker(void *arg)
{
	if (!try_enter()) {
		outside++; // RACE
		return NULL;
	}
	inside++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return inside + outside; // NORACE
}
