/* lost_wakeup.c, mended: the look at the flag is under the lock that the waker takes.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waker(void *arg)
{
	pthread_mutex_lock(&lock);
	atomic_store(&ready, 1);
	pthread_cond_signal(&wake);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *sleeper(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!atomic_load(&ready))
		pthread_cond_wait(&wake, &lock);
	pthread_mutex_unlock(&lock);
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
