/* Main waits for its workers by looking at how many are done; each of them raises that number
 * without an atomic operation.
 *
 * kind: data-race
 * harm: hang */
#include <pthread.h>
#include <stdatomic.h>

#define WORKERS 3

static volatile int done;

static void *worker(void *arg)
{
	done++; /* BUG */
	return arg;
}

int main(void)
{
	pthread_t thread;

	for (int i = 0; i < WORKERS; i++) {
		pthread_create(&thread, NULL, worker, NULL);
		pthread_detach(thread);
	}
	while (done < WORKERS)
		;
	return 0;
}
