/* twostage_2.c, mended: the first lock is held until the second value is there, and by the reader
 * from its first to its second look.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t raw_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t done_lock = PTHREAD_MUTEX_INITIALIZER;
static int raw, done;

static void *writer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&raw_lock);
	raw = 1;
	pthread_mutex_lock(&done_lock);
	done = raw + 1;
	pthread_mutex_unlock(&done_lock);
	pthread_mutex_unlock(&raw_lock);
	return NULL;
}

static void *reader(void *arg)
{
	int first;

	(void)arg;
	pthread_mutex_lock(&raw_lock);
	first = raw;
	pthread_mutex_lock(&done_lock);
	assert(first == 0 || done == first + 1);
	pthread_mutex_unlock(&done_lock);
	pthread_mutex_unlock(&raw_lock);
	return NULL;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, writer, NULL);
	pthread_create(&two, NULL, reader, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
