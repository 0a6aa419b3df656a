/* Two threads add to one sum, each under a lock, but not under the same one.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t sum_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *by_sum_lock(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&sum_lock);
	sum += 1; /* BUG */
	pthread_mutex_unlock(&sum_lock);
	return NULL;
}

static void *by_log_lock(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&log_lock);
	sum += 2; /* BUG */
	pthread_mutex_unlock(&log_lock);
	return NULL;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, by_sum_lock, NULL);
	pthread_create(&two, NULL, by_log_lock, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(sum == 3);
	return 0;
}
