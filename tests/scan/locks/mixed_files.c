// with: locks/mixed_files_other.c
/* Two files have a static variable and a static function of the same name. */
#include <pthread.h>

extern pthread_mutex_t common_lock;
extern int common;
void *other_worker(void *arg);

static int state;

static void touch(void)
{
	state++; // NORACE
	pthread_mutex_lock(&common_lock);
	common++; // NORACE
	pthread_mutex_unlock(&common_lock);
}

int main(void)
{
	pthread_t a;

	pthread_create(&a, NULL, other_worker, NULL);
	touch();
	pthread_join(a, NULL);
	return state + common; // NORACE
}
