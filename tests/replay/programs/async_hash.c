/* A hash computation over a buffer: table lookups, shifts, carries. */
#include "async.h"

int main(void)
{
	static uint8_t data[8192];
	uint64_t h = 0, rounds = 0;

	t_fill_random(data, sizeof(data));
	async_counter = &rounds;
	async_start();
	while (async_more()) {
		h ^= t_hash(data, sizeof(data));
		data[rounds & 8191] ^= (uint8_t)h;
		rounds++;
	}
	say("end %016lx after %lu\n", h, rounds);
	return 0;
}
