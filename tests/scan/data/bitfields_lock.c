/* Neighbours in one word: a lock for one of them does not help. */
#include <pthread.h>

static struct {
	unsigned a : 4, b : 4;
	unsigned : 0;
	unsigned c : 4;
} f;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&m);
	f.a = 1; // RACE
	pthread_mutex_unlock(&m);
	f.c = 1; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	f.b = 2; // RACE
	pthread_join(id, NULL);
	return 0;
}
