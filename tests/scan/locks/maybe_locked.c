/* Whether the mutex is taken depends on something unknown. */
#include <pthread.h>
#include <stdlib.h>

static int glob;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&m);
	glob++; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t id;
	int k = rand();

	pthread_create(&id, NULL, t_fun, NULL);
	if (k % 3)
		pthread_mutex_lock(&m);
	glob = 5; // RACE
	if (k % 3)
		pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return 0;
}
