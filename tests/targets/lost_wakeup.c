/* The sleeper looks at the flag without the lock, then locks and waits.  When the flag is set and
 * signalled between the two, nobody ever wakes it.
 *
 * kind: lost-wakeup
 * harm: deadlock, hang */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waker(void *arg)
{
	atomic_store(&ready, 1);
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&wake); /* BUG */
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *sleeper(void *arg)
{
	if (!atomic_load(&ready)) { /* BUG */
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&wake, &lock); /* BUG */
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, waker, NULL);
	pthread_create(&two, NULL, sleeper, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
