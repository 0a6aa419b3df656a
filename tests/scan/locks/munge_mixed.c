/* One caller mixes up the mutexes. */
#include <pthread.h>

int a;
pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;

static void bump(int *p, pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	(*p)++; // RACE
	pthread_mutex_unlock(m);
}

static void *t_fun(void *arg)
{
	bump(&a, &ma);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	bump(&a, &mb);
	pthread_join(id, NULL);
	return 0;
}
