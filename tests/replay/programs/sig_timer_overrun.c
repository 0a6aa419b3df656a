/* A blocked timer signal is delivered once, and tells how often it was missed. */
#include "t.h"

static volatile sig_atomic_t overrun;
static timer_t timer;

static void on_timer(int sig, siginfo_t *si, void *ctx)
{
	struct itimerspec off = {0};

	(void)sig;
	(void)ctx;
	TRY(timer_settime(timer, 0, &off, NULL));
	overrun = si->si_overrun;
}

int main(void)
{
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1};
	struct itimerspec it = {{0, 100000}, {0, 100000}};

	t_on_info(SIGRTMIN + 1, on_timer, 0);
	TRY(timer_create(CLOCK_MONOTONIC, &ev, &timer));
	for (int i = 0; i < 8; i++) {
		t_block(SIGRTMIN + 1, SIG_BLOCK);
		TRY(timer_settime(timer, 0, &it, NULL));
		t_sleep_us(t_rand_in(1000, 6000));
		overrun = -1;
		t_block(SIGRTMIN + 1, SIG_UNBLOCK);
		say("overrun %d\n", overrun);
		CHECK(overrun > 0);
	}
	TRY(timer_delete(timer));
	return 0;
}
