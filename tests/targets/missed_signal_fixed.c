/* missed_signal.c, mended: a flag under the lock remembers that the event has happened.
 *
 * kind: none */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static int is_finished;

static void *job(void *arg)
{
	int sum = 0;

	for (int i = 0; i < 100000; i++)
		sum += i % 7;
	*(int *)arg = sum;
	pthread_mutex_lock(&lock);
	is_finished = 1;
	pthread_cond_signal(&finished);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int result;

	pthread_create(&t, NULL, job, &result);
	pthread_mutex_lock(&lock);
	while (!is_finished)
		pthread_cond_wait(&finished, &lock);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return result == 0;
}
