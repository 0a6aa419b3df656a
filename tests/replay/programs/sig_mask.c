/* Masks: blocked signals wait, sigpending shows them, unblocking delivers the lowest first. */
#include "t.h"

static volatile int order;

static void on_sig(int sig)
{
	say("%d: signal %d\n", ++order, sig);
}

int main(void)
{
	sigset_t set, old, pending;

	sigemptyset(&set);
	for (int s = SIGRTMIN; s < SIGRTMIN + 5; s++) {
		t_on(s, on_sig, 0);
		sigaddset(&set, s);
	}
	t_on(SIGUSR1, on_sig, 0);
	sigaddset(&set, SIGUSR1);
	TRY(sigprocmask(SIG_BLOCK, &set, &old));
	for (int i = 0; i < 12; i++)
		TRY(kill(getpid(), SIGRTMIN + (int)(t_rand() % 5)));
	TRY(kill(getpid(), SIGUSR1));
	TRY(kill(getpid(), SIGUSR1));
	CHECK(order == 0);
	TRY(sigpending(&pending));
	for (int s = 1; s < 64; s++)
		if (sigismember(&pending, s))
			say("pending %d\n", s);
	TRY(sigprocmask(SIG_SETMASK, &old, NULL));
	CHECK(order == 13);
	TRY(sigprocmask(SIG_BLOCK, NULL, &set));
	CHECK(!sigismember(&set, SIGUSR1));
	say("pid %d\n", getpid());
	return 0;
}
