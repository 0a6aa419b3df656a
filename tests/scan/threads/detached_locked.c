/* The detached thread and its watcher use a lock. */
#include <pthread.h>
#include <unistd.h>

static int finished;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *background(void *arg)
{
	pthread_detach(pthread_self());
	pthread_mutex_lock(&m);
	finished = 1; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int seen = 0;

	pthread_create(&t, NULL, background, NULL);
	for (int i = 0; i < 1000 && !seen; i++) {
		pthread_mutex_lock(&m);
		seen = finished; // NORACE
		pthread_mutex_unlock(&m);
		usleep(10);
	}
	return 0;
}
