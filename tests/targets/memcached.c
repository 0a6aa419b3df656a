/* A cache's "incr" gets the item, adds one to the text and stores it again.  Getting and storing
 * are each under the cache's lock, the whole is not: an increment is lost.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static char item[24] = "10";

static long get(void)
{
	long value;

	pthread_mutex_lock(&cache_lock); /* BUG */
	value = atol(item);
	pthread_mutex_unlock(&cache_lock);
	return value;
}

static void set(long value)
{
	pthread_mutex_lock(&cache_lock); /* BUG */
	snprintf(item, sizeof(item), "%ld", value);
	pthread_mutex_unlock(&cache_lock);
}

static void *incr(void *arg)
{
	(void)arg;
	set(get() + 1);
	return NULL;
}

int main(void)
{
	pthread_t clients[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&clients[i], NULL, incr, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(clients[i], NULL);
	assert(atol(item) == 12);
	return 0;
}
