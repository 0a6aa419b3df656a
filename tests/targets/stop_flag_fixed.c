/* stop_flag.c, mended: the flag is set before the thread is created.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int running, steps;

static void *worker(void *arg)
{
	while (atomic_load(&running)) {
		atomic_fetch_add(&steps, 1);
		usleep(1000);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	atomic_store(&running, 1);
	pthread_create(&t, NULL, worker, NULL);
	usleep(10000); /* as long as it is to run */
	atomic_store(&running, 0);
	pthread_join(t, NULL);
	return 0;
}
