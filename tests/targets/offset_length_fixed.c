/* offset_length.c, mended: one lock for the pair.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define TEXT 10

static pthread_mutex_t offset_lock = PTHREAD_MUTEX_INITIALIZER;
static int offset = 2, length = 8;

static void *scroll(void *arg)
{
	pthread_mutex_lock(&offset_lock);
	offset = 6;
	length = 4;
	pthread_mutex_unlock(&offset_lock);
	return arg;
}

static void *paint(void *arg)
{
	int from, size;

	pthread_mutex_lock(&offset_lock);
	from = offset;
	size = length;
	pthread_mutex_unlock(&offset_lock);
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
