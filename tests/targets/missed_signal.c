/* A thread waits for a signal that may have been sent already: there is no flag that would
 * remember it.
 *
 * kind: lost-wakeup
 * harm: deadlock, hang */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;

static void *job(void *arg)
{
	int sum = 0;

	for (int i = 0; i < 100000; i++)
		sum += i % 7;
	*(int *)arg = sum;
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&finished); /* BUG */
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int result;

	pthread_create(&t, NULL, job, &result);
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&finished, &lock); /* BUG */
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return result == 0;
}
