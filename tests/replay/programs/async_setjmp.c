/* A loop of setjmp and longjmp, interrupted anywhere inside. */
#include "async.h"

static jmp_buf env;
static volatile uint64_t jumps;

static void __attribute__((noinline)) leap(int depth)
{
	volatile int here = depth;

	if (!here)
		longjmp(env, 1);
	if (here < 100)
		leap(here - 1);
}

int main(void)
{
	async_counter = &jumps;
	async_start();
	while (async_more())
		if (setjmp(env) == 0)
			leap((int)(jumps % 20));
		else
			jumps++;
	say("end %lu\n", jumps);
	return 0;
}
