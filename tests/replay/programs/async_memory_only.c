/* A loop whose registers repeat: only memory tells one round from the next. */
#include "async.h"

static volatile uint64_t n;

int main(void)
{
	async_counter = &n;
	async_start();
	while (async_more())
		__asm__ volatile("incq %0" : "+m"(n));
	say("end %lu\n", n);
	return 0;
}
