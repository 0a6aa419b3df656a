/* A counter that lives in a register only. */
#include "async.h"

int main(void)
{
	uint64_t n = 0;

	async_start();
	while (async_more())
		__asm__ volatile("inc %0" : "+r"(n));
	say("end %lu\n", n);
	return 0;
}
