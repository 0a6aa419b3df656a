/* rdrand and rdseed, where the processor has them: bytes that no kernel sees. */
#include "t.h"
#include <immintrin.h>

static void __attribute__((target("rdrnd"))) draw(void)
{
	for (int i = 0; i < 10; i++) {
		unsigned long long v = 0;

		if (_rdrand64_step(&v))
			say("%016llx\n", v);
	}
}

int main(void)
{
	uint32_t a = 1, b, c = 0, d;

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	if (c & 1u << 30)
		draw();
	else
		say("no rdrand, pid %d\n", getpid());
	return 0;
}
