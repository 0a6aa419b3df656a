/* Two bits in one word, "stop" and "flush", are set by two threads with plain
 * read-modify-write.  The stop bit can be written over, and the worker never sees it.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define STOP  1u
#define FLUSH 2u

static unsigned flags;

static void *stopper(void *arg)
{
	flags |= STOP; /* BUG */
	return arg;
}

static void *flusher(void *arg)
{
	flags |= FLUSH; /* BUG */
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, stopper, NULL);
	pthread_create(&two, NULL, flusher, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(flags == (STOP | FLUSH));
	return 0;
}
