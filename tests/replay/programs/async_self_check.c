/* A program that checksums its own code while it is interrupted. */
#include "async.h"

static uint64_t __attribute__((noinline)) spin(uint64_t n)
{
	uint64_t x = n;

	for (int i = 0; i < 20000; i++)
		x = x * 3 + (x >> 5);
	return x;
}

int main(void)
{
	uint64_t want = t_hash((const void *)(uintptr_t)spin, 64), x = t_rand(), checks = 0;

	async_counter = &checks;
	async_start();
	while (async_more()) {
		x = spin(x);
		CHECK(t_hash((const void *)(uintptr_t)spin, 64) == want);
		checks++;
	}
	say("end %016lx after %lu checks\n", x, checks);
	return 0;
}
