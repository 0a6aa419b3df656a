/* timer_create with SIGEV_SIGNAL: value, overrun, gettime, two timers. */
#include "t.h"

static volatile sig_atomic_t hits[2];

static void on_timer(int sig, siginfo_t *si, void *ctx)
{
	int which = si->si_value.sival_int;

	(void)ctx;
	hits[which]++;
	say("timer %d: signal %d code %d overrun %d\n", which, sig, si->si_code, si->si_overrun);
}

int main(void)
{
	struct itimerspec it = {{0, 700000}, {0, 500000}}, cur;
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL};
	timer_t t[2];

	t_on_info(SIGRTMIN, on_timer, SA_RESTART);
	t_on_info(SIGUSR2, on_timer, SA_RESTART);
	for (int i = 0; i < 2; i++) {
		ev.sigev_signo = i ? SIGUSR2 : SIGRTMIN;
		ev.sigev_value.sival_int = i;
		TRY(timer_create(i ? CLOCK_REALTIME : CLOCK_MONOTONIC, &ev, &t[i]));
		it.it_interval.tv_nsec += i * 400000;
		TRY(timer_settime(t[i], 0, &it, NULL));
	}
	while (hits[0] < 20 || hits[1] < 10)
		continue;
	TRY(timer_gettime(t[0], &cur));
	say("left %ld overrun %d\n", cur.it_value.tv_nsec, timer_getoverrun(t[0]));
	TRY(timer_delete(t[0]));
	TRY(timer_delete(t[1]));
	CHECK(timer_delete(t[0]) == -1 && errno == EINVAL);
	return 0;
}
