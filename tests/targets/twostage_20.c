/* Nineteen writers in two stages and one reader, each access under its lock: a reader that stands
 * between the two stages of the first writer fails.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define WRITERS 19

static pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t bill_lock = PTHREAD_MUTEX_INITIALIZER;
static int ordered, billed;

static void *writer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&order_lock); /* BUG */
	ordered = 1;
	pthread_mutex_unlock(&order_lock);
	pthread_mutex_lock(&bill_lock); /* BUG */
	billed = 1;
	pthread_mutex_unlock(&bill_lock);
	return NULL;
}

static void *reader(void *arg)
{
	int seen;

	(void)arg;
	pthread_mutex_lock(&order_lock); /* BUG */
	seen = ordered;
	pthread_mutex_unlock(&order_lock);
	pthread_mutex_lock(&bill_lock); /* BUG */
	assert(!seen || billed);
	pthread_mutex_unlock(&bill_lock);
	return NULL;
}

int main(void)
{
	pthread_t threads[WRITERS + 1];

	for (int i = 0; i <= WRITERS; i++)
		pthread_create(&threads[i], NULL, i < WRITERS ? writer : reader, NULL);
	for (int i = 0; i <= WRITERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
