/* Two fast timers: the handler of one is interrupted by the other at any instruction. */
#include "t.h"

static volatile sig_atomic_t a, b;
static volatile uint64_t work, inside;

static void on_real(int sig)
{
	(void)sig;
	a++;
	say("A%d work %lu inside %lu\n", a, work, inside);
	for (int i = 0; i < 30000; i++)
		inside++;
}

static void on_rt(int sig)
{
	(void)sig;
	b++;
	say("B%d work %lu inside %lu\n", b, work, inside);
	for (int i = 0; i < 30000; i++)
		inside++;
}

int main(void)
{
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
	struct itimerspec ts = {{0, 900000}, {0, 400000}};
	struct itimerval it = {{0, 1100}, {0, 500}};
	timer_t t;

	t_on(SIGALRM, on_real, SA_RESTART);
	t_on(SIGRTMIN, on_rt, SA_RESTART);
	TRY(timer_create(CLOCK_MONOTONIC, &ev, &t));
	TRY(timer_settime(t, 0, &ts, NULL));
	TRY(setitimer(ITIMER_REAL, &it, NULL));
	while (a < 60 || b < 60)
		work++;
	return 0;
}
