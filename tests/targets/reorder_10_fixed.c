/* reorder_10.c, mended: the pair is written and read under a lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define WRITERS 9

static struct {
	int from, to;
} range;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	range.to = 20;
	range.from = 10;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *reader(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	assert(range.to - range.from == 10 || range.to == 0);
	pthread_mutex_unlock(&lock);
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
