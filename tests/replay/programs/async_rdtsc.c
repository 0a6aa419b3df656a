/* A loop of rdtsc. */
#include "async.h"
#include <x86intrin.h>

int main(void)
{
	uint64_t mix = 0, calls = 0;

	async_counter = &calls;
	async_start();
	while (async_more()) {
		mix = mix * 31 + __rdtsc();
		calls++;
		for (volatile int i = 0; i < 1000; i++)
			continue;
	}
	say("end %016lx %lu\n", mix, calls);
	return 0;
}
