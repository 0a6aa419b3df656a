/* Bit tricks: crc32, popcnt, bsf, pdep-like shuffles. */
#include "async.h"

static uint64_t __attribute__((target("sse4.2,popcnt"))) step(uint64_t x)
{
	uint64_t c = __builtin_ia32_crc32di(x, x >> 3);

	return c ^ (x << __builtin_ctzll(x | 1)) ^ ((uint64_t)__builtin_popcountll(x) << 40);
}

int main(void)
{
	uint64_t x = t_rand() | 1, n = 0;

	async_counter = &n;
	async_start();
	while (async_more()) {
		x = step(x) + n;
		n++;
	}
	say("end %016lx %lu\n", x, n);
	return 0;
}
