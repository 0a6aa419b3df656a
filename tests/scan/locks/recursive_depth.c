/* A recursive mutex is still held after the inner unlock. */
#define _GNU_SOURCE
#include <pthread.h>

int n, late;
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void inner(void)
{
	pthread_mutex_lock(&m);
	n++; // NORACE
	pthread_mutex_unlock(&m);
}

void *t_fun(void *arg)
{
	pthread_mutex_lock(&m); // NODEADLOCK
	inner();
	n += 2; // NORACE
	pthread_mutex_unlock(&m);
	late++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	inner();
	late++; // RACE
	pthread_join(id, NULL);
	return 0;
}
