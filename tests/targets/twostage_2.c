/* The first stage writes a value under one lock, and a value made of it under another.  A reader
 * between the two sees the first without the second; no access is without its lock.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t raw_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t done_lock = PTHREAD_MUTEX_INITIALIZER;
static int raw, done;

static void *writer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&raw_lock); /* BUG */
	raw = 1;
	pthread_mutex_unlock(&raw_lock);
	pthread_mutex_lock(&done_lock); /* BUG */
	done = raw + 1;
	pthread_mutex_unlock(&done_lock);
	return NULL;
}

static void *reader(void *arg)
{
	int first;

	(void)arg;
	pthread_mutex_lock(&raw_lock); /* BUG */
	first = raw;
	pthread_mutex_unlock(&raw_lock);
	if (first == 0)
		return NULL;
	pthread_mutex_lock(&done_lock); /* BUG */
	assert(done == first + 1);
	pthread_mutex_unlock(&done_lock);
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
