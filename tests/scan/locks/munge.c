/* The mutex comes as an argument, and it is another one for each variable. */
#include <pthread.h>

int a, b;
pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;

static void bump(int *p, pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	(*p)++; // NORACE
	pthread_mutex_unlock(m);
}

static void *t_fun(void *arg)
{
	bump(&a, &ma);
	bump(&b, &mb);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	bump(&a, &ma);
	bump(&b, &mb);
	pthread_join(id, NULL);
	return 0;
}
