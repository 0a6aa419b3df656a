/* A view has an offset and a length, each under a lock of its own.  A painter between the two
 * changes sees an end behind the text.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define TEXT 10

static pthread_mutex_t offset_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t length_lock = PTHREAD_MUTEX_INITIALIZER;
static int offset = 2, length = 8;

static void *scroll(void *arg)
{
	pthread_mutex_lock(&offset_lock); /* BUG */
	offset = 6;
	pthread_mutex_unlock(&offset_lock);
	pthread_mutex_lock(&length_lock); /* BUG */
	length = 4;
	pthread_mutex_unlock(&length_lock);
	return arg;
}

static void *paint(void *arg)
{
	int from, size;

	pthread_mutex_lock(&offset_lock); /* BUG */
	from = offset;
	pthread_mutex_unlock(&offset_lock);
	pthread_mutex_lock(&length_lock); /* BUG */
	size = length;
	pthread_mutex_unlock(&length_lock);
	assert(from + size <= TEXT);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, scroll, NULL);
	pthread_create(&two, NULL, paint, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
