/* A result is announced before it is written: who waits for the flag may read the old value.
 *
 * kind: order-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int has_value, value;

static void *compute(void *arg)
{
	pthread_mutex_lock(&lock);
	has_value = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	value = 6 * 7; /* BUG */
	return arg;
}

static void *await(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!has_value)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	assert(value == 42); /* BUG */
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, compute, NULL);
	pthread_create(&two, NULL, await, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
