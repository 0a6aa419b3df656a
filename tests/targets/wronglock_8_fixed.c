/* wronglock_8.c, mended: all take the same lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define OTHERS 7

static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *owner(void *arg)
{
	int before;

	(void)arg;
	pthread_mutex_lock(&mine);
	before = value;
	value = before + 1;
	pthread_mutex_unlock(&mine);
	return NULL;
}

static void *other(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mine);
	value += 10;
	pthread_mutex_unlock(&mine);
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
