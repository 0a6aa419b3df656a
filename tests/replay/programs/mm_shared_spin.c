/* Two processes hand a token to each other through shared memory by spinning. */
#include "t.h"

int main(void)
{
	volatile uint64_t *m =
		TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	uint64_t spins = 0;
	pid_t pid = TRY(fork());
	unsigned self = pid ? 0 : 1;

	for (int i = 0; i < 20; i++) {
		while (__atomic_load_n(&m[0], __ATOMIC_ACQUIRE) % 2 != self)
			if (++spins % 1000 == 0)
				sched_yield();
		m[1] = m[1] * 31 + t_rand() % 100;
		__atomic_fetch_add(&m[0], 1, __ATOMIC_RELEASE);
	}
	say("%s spun %lu\n", pid ? "parent" : "child", spins);
	if (!pid)
		_exit(0);
	CHECK(t_wait(pid) == 0);
	say("token %016lx\n", m[1]);
	CHECK(m[0] == 40);
	return 0;
}
