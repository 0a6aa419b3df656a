/* AVX-512 registers and mask registers, where the processor has them. */
#include "async.h"
#include <immintrin.h>

static void __attribute__((target("avx512f"))) spin(void)
{
	__m512i n = _mm512_setzero_si512(), one = _mm512_set1_epi64(1);
	uint64_t out[8];

	async_start();
	while (async_more())
		__asm__ volatile("vpaddq %1, %0, %0\n kmovw %%ecx, %%k1\n"
				 : "+v"(n)
				 : "v"(one)
				 : "k1", "rcx");
	_mm512_storeu_si512(out, n);
	say("end %lu %lu\n", out[0], out[7]);
}

int main(void)
{
	if (__builtin_cpu_supports("avx512f"))
		spin();
	else
		say("no AVX-512 here, pid %d\n", getpid());
	return 0;
}
