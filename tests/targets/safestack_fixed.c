/* safestack.c, mended: head and a generation number are compared and exchanged as one.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>

#define ITEMS   3
#define THREADS 3
#define ROUNDS  2

static atomic_int next[ITEMS], count = ITEMS, owner[ITEMS];
static atomic_long head; /* generation << 32 | index */

static int take(void)
{
	while (atomic_load(&count) > 1) {
		long first = atomic_load(&head);
		long behind = atomic_load(&next[first & 0xff]);

		if (behind >= 0 && atomic_compare_exchange_strong(
					   &head, &first, ((first >> 32) + 1) << 32 | behind)) {
			atomic_fetch_sub(&count, 1);
			return (int)(first & 0xff);
		}
	}
	return -1;
}

static void give_back(int i)
{
	long first = atomic_load(&head);

	do
		atomic_store(&next[i], (int)(first & 0xff));
	while (!atomic_compare_exchange_strong(&head, &first, ((first >> 32) + 1) << 32 | i));
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
