/* A queue after Michael and Scott whose nodes are used again; a pointer has a version.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define NODES 4
#define NIL   0xffu
#define STEP  256

/* The index is in the low byte, the version above it. */
static _Atomic uint32_t head, tail, next[NODES];
static atomic_int value[NODES], in_use[NODES];
static atomic_int taken[16];

static uint32_t at(uint32_t old, uint32_t index)
{
	return ((old & ~0xffu) + STEP) | index;
}

static uint32_t new_node(int v)
{
	for (uint32_t i = 0; i < NODES; i++) {
		int no = 0;

		if (atomic_compare_exchange_strong(&in_use[i], &no, 1)) {
			atomic_store(&value[i], v);
			atomic_store(&next[i], at(atomic_load(&next[i]), NIL));
			return i;
		}
	}
	return NIL;
}

static void put(int v)
{
	uint32_t n = new_node(v);

	if (n == NIL)
		return;
	for (;;) {
		uint32_t t = atomic_load(&tail), after = atomic_load(&next[t & 0xff]);

		if (t != atomic_load(&tail))
			continue;
		if ((after & 0xff) != NIL) {
			atomic_compare_exchange_strong(&tail, &t, at(t, after & 0xff));
			continue;
		}
		if (atomic_compare_exchange_strong(&next[t & 0xff], &after, at(after, n))) {
			atomic_compare_exchange_strong(&tail, &t, at(t, n));
			return;
		}
	}
}

static int get(void)
{
	for (;;) {
		uint32_t h = atomic_load(&head), t = atomic_load(&tail);
		uint32_t after = atomic_load(&next[h & 0xff]);
		int v;

		if (h != atomic_load(&head))
			continue;
		if ((after & 0xff) == NIL)
			return -1;
		if ((h & 0xff) == (t & 0xff)) {
			atomic_compare_exchange_strong(&tail, &t, at(t, after & 0xff));
			continue;
		}
		v = atomic_load(&value[after & 0xff]);
		if (atomic_compare_exchange_strong(&head, &h, at(h, after & 0xff))) {
			atomic_store(&in_use[h & 0xff], 0);
			return v;
		}
	}
}

static void *worker(void *arg)
{
	int first = (int)(intptr_t)arg;

	for (int i = 0; i < 3; i++) {
		int v;

		put(first + i);
		v = get();
		if (v >= 0)
			assert(atomic_fetch_add(&taken[v], 1) == 0);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[3];

	atomic_store(&in_use[0], 1);
	atomic_store(&next[0], NIL);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)(i * 4));
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
