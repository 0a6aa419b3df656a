/* reorder_50.c, mended: both numbers are in one atomic word.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SETTERS 49

static atomic_long both;

static void *setter(void *arg)
{
	(void)arg;
	atomic_store(&both, 1L << 32 | 1);
	return NULL;
}

static void *checker(void *arg)
{
	long now = atomic_load(&both);

	(void)arg;
	assert(now >> 32 == (now & 0xffffffff));
	return NULL;
}

int main(void)
{
	pthread_t setters[SETTERS], last;

	for (int i = 0; i < SETTERS; i++)
		pthread_create(&setters[i], NULL, setter, NULL);
	pthread_create(&last, NULL, checker, NULL);
	for (int i = 0; i < SETTERS; i++)
		pthread_join(setters[i], NULL);
	pthread_join(last, NULL);
	return 0;
}
