/* Slow instructions: div, idiv, mul with wide results. */
#include "async.h"

int main(void)
{
	uint64_t a = 0x123456789abcdef1u, b = 97, sum = 0;

	async_start();
	while (async_more()) {
		uint64_t q = a / b, r = a % b;

		sum += q ^ r;
		a = (uint64_t)(((unsigned __int128)a * 6364136223846793005u) >> 17) | 1;
		b = (b * 5 + 3) % 100003 + 1;
	}
	say("end %016lx\n", sum);
	return 0;
}
