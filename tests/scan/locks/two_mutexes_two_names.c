/* Each thread holds a mutex, but not the same. */
#include <pthread.h>
#include <stdio.h>

int shared;
pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;

void *t_fun(void *arg)
{
	pthread_mutex_lock(&m1);
	shared = shared + 1; // RACE
	pthread_mutex_unlock(&m1);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&m2);
	shared = shared + 1; // RACE
	pthread_mutex_unlock(&m2);
	pthread_join(id, NULL);
	return 0;
}
