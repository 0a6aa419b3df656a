/* twostage_20.c, mended: one lock is held over both stages.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define WRITERS 19

static pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;
static int ordered, billed;

static void *writer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&order_lock);
	ordered = 1;
	billed = 1;
	pthread_mutex_unlock(&order_lock);
	return NULL;
}

static void *reader(void *arg)
{
	int seen;

	(void)arg;
	pthread_mutex_lock(&order_lock);
	seen = ordered;
	assert(!seen || billed);
	pthread_mutex_unlock(&order_lock);
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
