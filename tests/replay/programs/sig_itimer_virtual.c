/* ITIMER_VIRTUAL counts user time only. */
#include "t.h"

static volatile sig_atomic_t ticks;
static volatile uint64_t work;

static void on_tick(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	ticks++;
	say("%d code %d: work %lu\n", sig, si->si_code, work);
}

int main(void)
{
	struct itimerval it = {{0, 4000}, {0, 4000}}, left;

	t_on_info(SIGVTALRM, on_tick, 0);
	TRY(setitimer(ITIMER_VIRTUAL, &it, NULL));
	while (ticks < 20)
		work++;
	TRY(getitimer(ITIMER_VIRTUAL, &left));
	say("left %ld us\n", left.it_value.tv_usec);
	return 0;
}
