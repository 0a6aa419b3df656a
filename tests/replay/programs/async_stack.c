/* A counter on the stack. */
#include "async.h"

int main(void)
{
	volatile uint64_t n = 0;

	async_counter = &n;
	async_start();
	while (async_more())
		n++;
	say("end %lu\n", n);
	return 0;
}
