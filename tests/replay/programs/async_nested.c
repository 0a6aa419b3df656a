/* Handlers interrupted by handlers: a second timer with its own signal runs through all. */
#define ASYNC_WANTED 120
#include "async.h"

static volatile sig_atomic_t inner;
static volatile uint64_t work, in_handler;
static timer_t timer;

static void on_rt(int sig, siginfo_t *si, void *ctx)
{
	struct itimerspec it = {{0, 0}, {0, (long)t_rand_in(100000, 1500000)}};

	(void)sig;
	(void)si;
	say("inner %d in handler %lu ", ++inner, in_handler);
	async_say(ctx);
	if (async_hits < ASYNC_WANTED)
		TRY(timer_settime(timer, 0, &it, NULL));
}

static void on_alarm(int sig, siginfo_t *si, void *ctx)
{
	for (int i = 0; i < 100000; i++)
		in_handler++;
	async_handler(sig, si, ctx);
}

int main(void)
{
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
	struct itimerspec it = {{0, 0}, {0, 300000}};

	async_counter = &work;
	t_on_info(SIGRTMIN, on_rt, SA_RESTART);
	t_on_info(SIGALRM, on_alarm, SA_RESTART);
	TRY(timer_create(CLOCK_MONOTONIC, &ev, &timer));
	TRY(timer_settime(timer, 0, &it, NULL));
	async_arm();
	while (async_more())
		work++;
	t_block(SIGRTMIN, SIG_BLOCK);
	say("end %lu %lu\n", work, in_handler);
	return 0;
}
