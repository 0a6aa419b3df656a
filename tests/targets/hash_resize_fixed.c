/* hash_resize.c, mended: the look-up takes the lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned mask = 3;
static int *buckets;

static void *grow(void *arg)
{
	int *bigger = calloc(1024, sizeof(*bigger));

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < 1024; i++)
		bigger[i] = (int)(i & mask);
	mask = 1023;
	free(buckets);
	buckets = bigger;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *look_up(void *arg)
{
	unsigned hash = 0x12346;

	pthread_mutex_lock(&lock);
	assert(buckets[hash & mask] == 2);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	buckets = calloc(4, sizeof(*buckets));
	for (int i = 0; i < 4; i++)
		buckets[i] = i;
	pthread_create(&one, NULL, look_up, NULL);
	pthread_create(&two, NULL, grow, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	free(buckets);
	return 0;
}
