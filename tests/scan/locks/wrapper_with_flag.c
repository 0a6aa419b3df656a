/* A wrapper that locks only when it is asked to. */
#include <pthread.h>

int safe, unsafe;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void enter(int with_lock)
{
	if (with_lock)
		pthread_mutex_lock(&m);
}

static void leave(int with_lock)
{
	if (with_lock)
		pthread_mutex_unlock(&m);
}

void *t_fun(void *arg)
{
	enter(1);
	safe++; // NORACE
	leave(1);
	enter(0);
	unsafe++; // RACE
	leave(0);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	enter(1);
	safe++;   // NORACE
	unsafe++; // RACE
	leave(1);
	pthread_join(id, NULL);
	return 0;
}
