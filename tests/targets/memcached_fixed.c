/* memcached.c, mended: the lock is held over the whole command.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static char item[24] = "10";

static void *incr(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&cache_lock);
	snprintf(item, sizeof(item), "%ld", atol(item) + 1);
	pthread_mutex_unlock(&cache_lock);
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
