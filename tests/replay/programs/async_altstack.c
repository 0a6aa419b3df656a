/* The handler runs on an alternative stack. */
#include "async.h"

int main(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	stack_t ss = {.ss_sp = stack, .ss_size = sizeof(stack)};
	volatile uint64_t n = 0;

	async_counter = &n;
	TRY(sigaltstack(&ss, NULL));
	t_on_info(SIGALRM, async_handler, SA_RESTART | SA_ONSTACK);
	async_arm();
	while (async_more())
		n++;
	say("end %lu\n", n);
	return 0;
}
