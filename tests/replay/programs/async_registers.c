/* Several registers with different steps, in a loop of one block. */
#include "async.h"

int main(void)
{
	uint64_t a = 1, b = 2, c = 3, d = 4;

	async_start();
	while (async_more())
		__asm__ volatile("mov $1000, %%ecx\n"
				 "1: add $3, %0\n xor %0, %1\n rol $7, %1\n add %1, %2\n"
				 "imul $31, %3, %3\n sub %2, %3\n dec %%ecx\n jnz 1b\n"
				 : "+r"(a), "+r"(b), "+r"(c), "+r"(d)
				 :
				 : "rcx", "cc");
	say("end %lu %lu %lu %lu\n", a, b, c, d);
	return 0;
}
