/* Locked instructions: xadd, cmpxchg, cmpxchg16b, xchg. */
#include "async.h"

static _Alignas(16) volatile uint64_t pair[2];
static volatile uint64_t cell;

int main(void)
{
	uint64_t expect = 0, fails = 0;

	async_counter = &cell;
	async_start();
	while (async_more()) {
		__atomic_fetch_add(&cell, 3, __ATOMIC_SEQ_CST);
		if (!__atomic_compare_exchange_n(
			    &cell, &expect, cell + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			fails++;
		__asm__ volatile("lock cmpxchg16b %0"
				 : "+m"(pair)
				 : "a"(pair[0]), "d"(pair[1]), "b"(cell), "c"(fails)
				 : "cc", "memory");
		expect = __atomic_exchange_n(&cell, cell ^ 5, __ATOMIC_SEQ_CST);
	}
	say("end %lu %lu fails %lu\n", cell, pair[0], fails);
	return 0;
}
