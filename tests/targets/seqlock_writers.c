/* A sequence lock orders readers and one writer.  Here are two writers without a lock between
 * them, and the pair that remains is half of each.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static int left, right;

static void *writer(void *arg)
{
	int value = *(int *)arg;

	atomic_fetch_add(&sequence, 1);
	left = value;  /* BUG */
	right = value; /* BUG */
	atomic_fetch_add(&sequence, 1);
	return NULL;
}

int main(void)
{
	int values[2] = {1, 2};
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, writer, &values[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(sequence == 4 && left == right);
	return 0;
}
