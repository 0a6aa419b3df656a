// part-of: locks/across_files.c
#include <pthread.h>

int gauge;
pthread_mutex_t gauge_lock = PTHREAD_MUTEX_INITIALIZER;

void gauge_set(int v)
{
	pthread_mutex_lock(&gauge_lock);
	gauge = v; // RACE
	pthread_mutex_unlock(&gauge_lock);
}

void *gauge_thread(void *arg)
{
	gauge_set(1);
	return NULL;
}
