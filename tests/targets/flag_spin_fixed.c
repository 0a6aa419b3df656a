/* flag_spin.c, mended: the message is written first, and the flag is atomic.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready;
static int message;

static void *sender(void *arg)
{
	message = 5;
	atomic_store(&ready, 1);
	return arg;
}

static void *receiver(void *arg)
{
	while (!atomic_load(&ready))
		sched_yield();
	assert(message == 5);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, sender, NULL);
	pthread_create(&two, NULL, receiver, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
