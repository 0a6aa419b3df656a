/* One thread changes a value under its lock; seven others change it under another.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define OTHERS 7

static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t theirs = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *owner(void *arg)
{
	int before;

	(void)arg;
	pthread_mutex_lock(&mine);
	before = value; /* BUG */
	value = before + 1;
	pthread_mutex_unlock(&mine);
	return NULL;
}

static void *other(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&theirs);
	value += 10; /* BUG */
	pthread_mutex_unlock(&theirs);
	return NULL;
}

int main(void)
{
	pthread_t threads[OTHERS + 1];

	for (int i = 0; i <= OTHERS; i++)
		pthread_create(&threads[i], NULL, i ? other : owner, NULL);
	for (int i = 0; i <= OTHERS; i++)
		pthread_join(threads[i], NULL);
	assert(value == 10 * OTHERS + 1);
	return 0;
}
