/* One thread fills a queue and another empties it, each step under the lock.  The reader asks how
 * many there are, lets go of the lock, and takes as many: the count is of the past when a second
 * reader was there in between.
 *
 * kind: atomicity-violation
 * harm: assertion */
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

static int count(void)
{
	int n;

	pthread_mutex_lock(&lock); /* BUG */
	n = last - first;
	pthread_mutex_unlock(&lock);
	return n;
}

static int take(void)
{
	int item;

	pthread_mutex_lock(&lock); /* BUG */
	assert(first < last);
	item = items[first++];
	pthread_mutex_unlock(&lock);
	return item;
}

static void *reader(void *arg)
{
	int *sum = arg;

	for (int n = count(); n > 0; n--)
		*sum += take();
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
