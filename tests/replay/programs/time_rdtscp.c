/* rdtscp with its processor number, and lfence around rdtsc. */
#include "t.h"
#include <x86intrin.h>

int main(void)
{
	for (int i = 0; i < 20; i++) {
		unsigned aux = 0;
		uint64_t a = __rdtscp(&aux), b;

		_mm_lfence();
		b = __rdtsc();
		say("%lu %u +%lu\n", a, aux, b - a);
		CHECK(b >= a);
	}
	return 0;
}
