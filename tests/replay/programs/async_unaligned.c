/* Jumps into the middle of a dense run of one-byte instructions. */
#include "async.h"

int main(void)
{
	uint64_t n = 0;

	async_start();
	while (async_more())
		__asm__ volatile("lea 1f(%%rip), %%rdx\n"
				 "mov %0, %%rcx\n and $15, %%rcx\n lea (%%rdx,%%rcx), %%rdx\n"
				 "jmp *%%rdx\n"
				 "1: .skip 16, 0x90\n"
				 "inc %0\n"
				 : "+r"(n)
				 :
				 : "rcx", "rdx", "cc");
	say("end %lu\n", n);
	return 0;
}
