/* seqlock_writers.c, mended: writers take a mutex.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static int left, right;
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	int value = *(int *)arg;

	pthread_mutex_lock(&writers);
	atomic_fetch_add(&sequence, 1);
	left = value;
	right = value;
	atomic_fetch_add(&sequence, 1);
	pthread_mutex_unlock(&writers);
	return NULL;
}

int main(void)
{
	int values[2] = {1, 2};
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, writer, &values[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(sequence == 4 && left == right);
	return 0;
}
