/* queue.c, mended: count and taking are under one lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define ITEMS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[ITEMS], first, last;

static void put(int item)
{
	pthread_mutex_lock(&lock);
	items[last++] = item;
	pthread_mutex_unlock(&lock);
}

static int take_all(void)
{
	int sum = 0;

	pthread_mutex_lock(&lock);
	while (first < last)
		sum += items[first++];
	pthread_mutex_unlock(&lock);
	return sum;
}

static void *reader(void *arg)
{
	*(int *)arg = take_all();
	return NULL;
}

int main(void)
{
	int sums[2] = {0};
	pthread_t readers[2];

	for (int i = 0; i < ITEMS; i++)
		put(i);
	for (int i = 0; i < 2; i++)
		pthread_create(&readers[i], NULL, reader, &sums[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(readers[i], NULL);
	assert(sums[0] + sums[1] == 6);
	return 0;
}
