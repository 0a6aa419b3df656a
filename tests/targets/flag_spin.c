/* A message is handed over with two volatile variables, and the flag is written before the
 * message.
 *
 * kind: order-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static volatile int ready, message;

static void *sender(void *arg)
{
	ready = 1;   /* BUG */
	message = 5; /* BUG */
	return arg;
}

static void *receiver(void *arg)
{
	while (!ready) /* BUG */
		sched_yield();
	assert(message == 5); /* BUG */
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
