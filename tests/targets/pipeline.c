/* The last stage of a pipeline ends when the stage before it says "end" and the queue is empty,
 * in this order of looking: what is put in between is never handled.
 *
 * kind: order-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define ITEMS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int queued, handled;
static atomic_int end;

static void *feed(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		pthread_mutex_lock(&lock);
		queued++;
		pthread_mutex_unlock(&lock);
	}
	atomic_store(&end, 1); /* BUG */
	return arg;
}

static int take(void)
{
	int got;

	pthread_mutex_lock(&lock);
	got = queued > 0;
	queued -= got;
	pthread_mutex_unlock(&lock);
	return got;
}

static void *handle(void *arg)
{
	for (;;) {
		int got = take();

		if (!got && atomic_load(&end)) /* BUG */
			return arg;
		handled += got;
		if (!got)
			sched_yield();
	}
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, feed, NULL);
	pthread_create(&two, NULL, handle, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(handled == ITEMS);
	return 0;
}
