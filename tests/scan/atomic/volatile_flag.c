/* A volatile stop flag, which such programs use as an atomic. */
#include <pthread.h>
#include <unistd.h>

static volatile int stop;

static void *worker(void *arg)
{
	while (!stop) // NORACE
		usleep(100);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	usleep(1000);
	stop = 1; // NORACE
	pthread_join(t, NULL);
	return 0;
}
