/* Breakpoints of the program's own while a timer strikes: SIGTRAP is blocked in its handler, and
 * not behind it. */
#include "t.h"

static volatile int traps, alarms;

static void on_trap(int sig)
{
	if (sig == SIGTRAP)
		traps++;
	else
		alarms++;
}

int main(void)
{
	struct itimerval it = {{0, 1000}, {0, 1000}};
	volatile uint64_t x = t_rand();

	t_on(SIGTRAP, on_trap, 0);
	t_on(SIGALRM, on_trap, 0);
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	for (int i = 0; i < 4000; i++) {
		for (int j = 0; j < 300; j++)
			x = x * 3 + (x >> 5);
		if (i % 8 == 0)
			__asm__ volatile("int3");
	}
	TRY(setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL));
	CHECK(traps == 500);
	say("%d alarms, %016" PRIx64 "\n", alarms, (uint64_t)x);
	return 0;
}
