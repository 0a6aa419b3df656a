/* An executable at a fixed address, with a timer in a tight loop. */
#include "t.h"

static volatile sig_atomic_t ticks;
static volatile uint64_t work;

static void on_alarm(int sig)
{
	(void)sig;
	say("tick %d work %lu main %p\n", ++ticks, work, (void *)(uintptr_t)on_alarm);
}

int main(void)
{
	struct itimerval it = {{0, 700}, {0, 700}};

	t_on(SIGALRM, on_alarm, SA_RESTART);
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	while (ticks < 60)
		work++;
	CHECK((uintptr_t)main < 0x1000000);
	return 0;
}
