/* Realtime signals: lower numbers first, equal numbers in the order of sending. */
#include "t.h"

static volatile int n, last_sig, last_value;

static void on_rt(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	say("+%d %d\n", sig - SIGRTMIN, si->si_value.sival_int);
	CHECK(sig > last_sig || (sig == last_sig && si->si_value.sival_int > last_value));
	last_sig = sig;
	last_value = si->si_value.sival_int;
	n++;
}

int main(void)
{
	struct sigaction sa = {.sa_sigaction = on_rt, .sa_flags = SA_SIGINFO};
	union sigval v;
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < 8; i++)
		sigaddset(&set, SIGRTMIN + i);
	sa.sa_mask = set;
	for (int i = 0; i < 8; i++)
		TRY(sigaction(SIGRTMIN + i, &sa, NULL));
	TRY(sigprocmask(SIG_BLOCK, &set, NULL));
	for (int i = 0; i < 60; i++) {
		v.sival_int = i;
		TRY(sigqueue(getpid(), SIGRTMIN + (int)(t_rand() % 8), v));
	}
	TRY(sigprocmask(SIG_UNBLOCK, &set, NULL));
	CHECK(n == 60);
	return 0;
}
