// part-of: locks/mixed_files.c
#include <pthread.h>

pthread_mutex_t common_lock = PTHREAD_MUTEX_INITIALIZER;
int common;

static int state;

static void touch(void)
{
	state++; // NORACE
}

void *other_worker(void *arg)
{
	touch();
	pthread_mutex_lock(&common_lock);
	common--; // NORACE
	pthread_mutex_unlock(&common_lock);
	return NULL;
}
