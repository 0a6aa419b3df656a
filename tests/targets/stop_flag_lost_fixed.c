/* stop_flag_lost.c, mended: bits are set with an atomic or.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define STOP  1u
#define FLUSH 2u

static atomic_uint flags;

static void *stopper(void *arg)
{
	atomic_fetch_or(&flags, STOP);
	return arg;
}

static void *flusher(void *arg)
{
	atomic_fetch_or(&flags, FLUSH);
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
