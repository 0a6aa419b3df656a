/* timer_free.c, mended: the timer thread calls it while it holds the list's lock.
 *
 * kind: none */
#include <pthread.h>
#include <stdlib.h>

struct timer {
	void (*call)(struct timer *t);
	int calls;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timer *pending;

static void count(struct timer *t)
{
	t->calls++;
}

static void *timer_thread(void *arg)
{
	struct timer *t;

	pthread_mutex_lock(&lock);
	t = pending;
	if (t)
		t->call(t);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *owner(void *arg)
{
	struct timer *t;

	pthread_mutex_lock(&lock);
	t = pending;
	pending = NULL;
	pthread_mutex_unlock(&lock);
	free(t);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pending = calloc(1, sizeof(*pending));
	pending->call = count;
	pthread_create(&one, NULL, timer_thread, NULL);
	pthread_create(&two, NULL, owner, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
