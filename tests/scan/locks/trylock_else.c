/* The branch without the lock writes as well. */
#include <pthread.h>

static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	if (pthread_mutex_trylock(&m) == 0) {
		n++; // NORACE
		pthread_mutex_unlock(&m);
	} else {
		n = 0; // RACE
	}
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&m);
	n--; // RACE
	pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return 0;
}
