/* Recursion: the state is the depth of the stack. */
#include "async.h"

static volatile uint64_t calls;

static uint64_t __attribute__((noinline)) fib(unsigned n)
{
	calls++;
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void)
{
	uint64_t sum = 0;

	async_counter = &calls;
	async_start();
	while (async_more())
		sum += fib(18);
	say("end %lu\n", sum);
	return 0;
}
