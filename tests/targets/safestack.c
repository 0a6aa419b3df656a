/* A lock-free stack of indices keeps a count so that the last element is never taken, and marks
 * an element that is being taken.  Three threads that take and give back can see an index again
 * while its neighbour has changed, and two of them hold the same element.
 *
 * kind: atomicity-violation
 * harm: assertion, hang */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>

#define ITEMS   3
#define THREADS 3
#define ROUNDS  2

static atomic_int head, next[ITEMS], count = ITEMS, owner[ITEMS];

static int take(void)
{
	while (atomic_load(&count) > 1) {
		int first = atomic_load(&head); /* BUG */
		int behind = atomic_exchange(&next[first], -1);

		if (behind < 0)
			continue;
		if (atomic_compare_exchange_strong(&head, &first, behind)) { /* BUG */
			atomic_fetch_sub(&count, 1);
			return first;
		}
		atomic_exchange(&next[first], behind); /* BUG */
	}
	return -1;
}

static void give_back(int i)
{
	int first = atomic_load(&head);

	do
		atomic_store(&next[i], first);
	while (!atomic_compare_exchange_strong(&head, &first, i));
	atomic_fetch_add(&count, 1);
}

static void *worker(void *arg)
{
	for (int round = 0; round < ROUNDS; round++) {
		int i = take();

		if (i < 0)
			continue;
		assert(atomic_exchange(&owner[i], 1) == 0);
		atomic_store(&owner[i], 0);
		give_back(i);
	}
	return arg;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < ITEMS; i++)
		atomic_store(&next[i], i + 1 < ITEMS ? i + 1 : -1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
