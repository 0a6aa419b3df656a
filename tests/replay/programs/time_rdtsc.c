/* rdtsc: never backwards, never the same in two runs. */
#include "t.h"
#include <x86intrin.h>

int main(void)
{
	uint64_t last = 0, mix = 0;

	for (int i = 0; i < 200; i++) {
		uint64_t t = __rdtsc();

		CHECK(t >= last);
		last = t;
		mix = mix * 31 + t;
	}
	say("last %lu mix %016lx\n", last, mix);
	return 0;
}
