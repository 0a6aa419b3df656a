/* Only an SSE register tells one round from the next. */
#include "async.h"
#include <emmintrin.h>

int main(void)
{
	__m128i one = _mm_set_epi64x(0, 1), n = _mm_setzero_si128();
	uint64_t out[2];

	async_start();
	while (async_more())
		__asm__ volatile("paddq %1, %0" : "+x"(n) : "x"(one));
	_mm_storeu_si128((__m128i *)out, n);
	say("end %lu\n", out[0]);
	return 0;
}
