/* Cheap system calls in a loop: signals between, before and after them. */
#include "async.h"

int main(void)
{
	uint64_t calls = 0;

	async_counter = &calls;
	async_start();
	while (async_more()) {
		calls += getppid() >= 0;
		calls += (uint64_t)syscall(SYS_gettid) > 0;
		calls += sched_yield() == 0;
	}
	say("end %lu\n", calls);
	return 0;
}
