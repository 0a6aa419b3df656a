/* The main stack grows by itself, five megabytes deep. */
#include "t.h"

static uint64_t __attribute__((noinline)) deep(int n)
{
	volatile char frame[50000];
	uintptr_t here = (uintptr_t)frame;

	for (int i = 0; i < 50000; i += 4096)
		frame[i] = (char)n;
	return n ? deep(n - 1) * 31 + (unsigned char)frame[8192] : here;
}

int main(void)
{
	struct rlimit rl;

	TRY(getrlimit(RLIMIT_STACK, &rl));
	if (rl.rlim_cur != RLIM_INFINITY && rl.rlim_cur < 7u << 20) {
		say("stack limit %lu is too small\n", rl.rlim_cur);
		return 0;
	}
	say("path %016lx pid %d\n", deep(100), getpid());
	return 0;
}
