/* The reader of a sequence lock looks at the number before and after, but only refuses odd ones:
 * a whole write in between goes unseen.
 *
 * kind: atomicity-violation
 * harm: assertion */
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
		before = atomic_load(&sequence); /* BUG */
		l = atomic_load(&left);
		r = atomic_load(&right);
		after = atomic_load(&sequence); /* BUG */
	} while (before % 2 || after % 2);
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
