/* Integer work in SSE registers; the general registers hardly move. */
#include "async.h"
#include <emmintrin.h>

int main(void)
{
	__m128i a = _mm_set_epi32(1, 2, 3, 4), b = _mm_set1_epi32(77);
	uint32_t out[4];

	async_start();
	while (async_more())
		for (int i = 0; i < 64; i++)
			__asm__ volatile("paddd %1, %0\n pxor %0, %1\n" : "+x"(a), "+x"(b));
	_mm_storeu_si128((__m128i *)out, _mm_xor_si128(a, b));
	say("end %08x %08x %08x %08x\n", out[0], out[1], out[2], out[3]);
	return 0;
}
