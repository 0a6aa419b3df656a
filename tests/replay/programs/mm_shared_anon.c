/* Shared anonymous memory across fork, with atomics and a hand-made lock. */
#include "t.h"

struct area {
	int lock;
	uint64_t sum, order;
	int n;
};

static void take(struct area *a, int who)
{
	for (int i = 0; i < 50; i++) {
		int zero = 0;

		while (!__atomic_compare_exchange_n(
			&a->lock, &zero, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
			zero = 0;
			sched_yield();
		}
		a->sum += (uint64_t)who;
		a->order = a->order * 31 + (uint64_t)who;
		a->n++;
		__atomic_store_n(&a->lock, 0, __ATOMIC_RELEASE);
	}
}

int main(void)
{
	struct area *a =
		TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	pid_t pids[3];

	for (int i = 0; i < 3; i++) {
		pids[i] = TRY(fork());
		if (!pids[i]) {
			take(a, i + 1);
			_exit(0);
		}
	}
	for (int i = 0; i < 3; i++)
		CHECK(t_wait(pids[i]) == 0);
	say("sum %lu order %016lx\n", a->sum, a->order);
	CHECK(a->n == 150 && a->sum == 300);
	return 0;
}
