/* The upper halves of AVX registers tell one round from the next. */
#include "async.h"
#include <immintrin.h>

static void __attribute__((target("avx2"))) spin(void)
{
	__m256i one = _mm256_set_epi64x(3, 1, 0, 0), n = _mm256_setzero_si256();
	uint64_t out[4];

	async_start();
	while (async_more())
		__asm__ volatile("vpaddq %1, %0, %0" : "+x"(n) : "x"(one));
	_mm256_storeu_si256((__m256i *)out, n);
	say("end %lu %lu %lu %lu\n", out[0], out[1], out[2], out[3]);
}

int main(void)
{
	if (__builtin_cpu_supports("avx2"))
		spin();
	else
		say("no AVX2 here, pid %d\n", getpid());
	return 0;
}
