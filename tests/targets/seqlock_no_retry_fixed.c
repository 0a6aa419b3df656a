/* seqlock_no_retry.c, mended: the reader also compares the two numbers.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int left = 1, right = 1;

static void *writer(void *arg)
{
	atomic_fetch_add(&sequence, 1);
	atomic_store(&left, 2);
	atomic_store(&right, 2);
	atomic_fetch_add(&sequence, 1);
	return arg;
}

static void *reader(void *arg)
{
	unsigned before, after;
	int l, r;

	do {
		before = atomic_load(&sequence);
		l = atomic_load(&left);
		r = atomic_load(&right);
		after = atomic_load(&sequence);
		sched_yield();
	} while (before % 2 || before != after);
	assert(l == r);
	return arg;
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
