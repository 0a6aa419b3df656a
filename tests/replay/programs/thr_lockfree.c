/* A lock-free stack with compare-and-swap on a tagged head. */
#include "t.h"

struct node {
	uint32_t next;
	uint32_t value;
};

static struct node pool[401];
static uint64_t head; /* tag << 32 | index */
static uint64_t retries[4];

static void *body(void *arg)
{
	int self = (int)(intptr_t)arg;

	for (uint32_t i = 0; i < 100; i++) {
		uint32_t k = (uint32_t)self * 100 + i + 1;
		uint64_t old = __atomic_load_n(&head, __ATOMIC_ACQUIRE);

		pool[k].value = k;
		do {
			pool[k].next = (uint32_t)old;
			retries[self]++;
		} while (!__atomic_compare_exchange_n(&head, &old, ((old >> 32) + 1) << 32 | k,
			false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
		if (i % 10 == 0)
			sched_yield();
	}
	return NULL;
}

int main(void)
{
	uint64_t mix = 0;
	pthread_t th[4];
	int n = 0;

	for (intptr_t i = 0; i < 4; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 4; i++)
		TRY0(pthread_join(th[i], NULL));
	for (uint32_t k = (uint32_t)head; k; k = pool[k].next, n++)
		mix = mix * 31 + pool[k].value;
	say("%d nodes, order %016lx, attempts %lu %lu %lu %lu\n", n, mix, retries[0], retries[1],
		retries[2], retries[3]);
	CHECK(n == 400);
	return 0;
}
