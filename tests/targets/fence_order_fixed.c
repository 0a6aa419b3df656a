/* fence_order.c, mended: the slot is written before the head moves.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 4
#define ITEMS 3

static atomic_int ring[SLOTS], head;

static void *sender(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		int at = atomic_load_explicit(&head, memory_order_relaxed);

		atomic_store_explicit(&ring[at % SLOTS], i + 1, memory_order_relaxed);
		atomic_store_explicit(&head, at + 1, memory_order_release);
	}
	return arg;
}

static void *reader(void *arg)
{
	int seen = atomic_load_explicit(&head, memory_order_acquire);

	for (int i = 0; i < seen; i++)
		assert(atomic_load_explicit(&ring[i], memory_order_acquire) == i + 1);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, sender, NULL);
	pthread_create(&two, NULL, reader, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
