/* The fixed addresses at which old programs call time, gettimeofday and getcpu; where a kernel does
 * without them a call there is a fault. */
#include "t.h"

static sigjmp_buf back;

static void on_segv(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

int main(void)
{
	long (*const ask_time)(time_t *) = (void *)0xffffffffff600400;
	long (*const ask_day)(struct timeval *, void *) = (void *)0xffffffffff600000;
	long (*const ask_cpu)(unsigned *, unsigned *, void *) = (void *)0xffffffffff600800;
	struct timeval tv = {0};
	unsigned cpu = 99, node = 99;
	time_t t = 0;

	t_on(SIGSEGV, on_segv, 0);
	if (sigsetjmp(back, 1)) {
		say("no such address, pid %d\n", getpid());
		return 0;
	}
	CHECK(ask_time(&t) == t && t > 1000000000);
	CHECK(ask_day(&tv, NULL) == 0 && tv.tv_sec >= t);
	CHECK(ask_cpu(&cpu, &node, NULL) == 0 && cpu != 99);
	CHECK(ask_time(NULL) >= t);
	say("%ld, %ld.%06ld, processor %u\n", t, tv.tv_sec, tv.tv_usec, cpu);
	return 0;
}
