/* The worker says "running" when it begins, and the main thread takes it back in order to stop
 * it.  When the stop comes first the worker puts the flag back, and runs for ever.
 *
 * kind: order-violation
 * harm: hang */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int running, steps;

static void *worker(void *arg)
{
	atomic_store(&running, 1); /* BUG */
	while (atomic_load(&running)) {
		atomic_fetch_add(&steps, 1);
		usleep(1000);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	usleep(10000);             /* as long as it is to run */
	atomic_store(&running, 0); /* BUG */
	pthread_join(t, NULL);
	return 0;
}
