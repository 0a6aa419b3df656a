/* Becomes another program while threads are there. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int started;

static void *wait_for_ever(void *arg)
{
	pthread_mutex_lock(&lock);
	started = 1;
	pthread_mutex_unlock(&lock);
	for (;;)
		pause();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, wait_for_ever, NULL);
	pthread_mutex_lock(&lock);
	started++;
	pthread_mutex_unlock(&lock);
	execl("/bin/sh", "sh", "-c", "exit 0", (char *)NULL);
	return 9;
}
