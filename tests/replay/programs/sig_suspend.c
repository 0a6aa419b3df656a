/* sigsuspend swaps the mask and comes back with the old one. */
#include "t.h"

static volatile sig_atomic_t usr1, usr2;

static void on_sig(int sig)
{
	if (sig == SIGUSR1)
		usr1++;
	else
		usr2++;
}

int main(void)
{
	sigset_t block, only1, now;
	pid_t pid;

	t_on(SIGUSR1, on_sig, 0);
	t_on(SIGUSR2, on_sig, 0);
	sigemptyset(&block);
	sigaddset(&block, SIGUSR1);
	sigaddset(&block, SIGUSR2);
	TRY(sigprocmask(SIG_BLOCK, &block, NULL));
	only1 = block;
	sigdelset(&only1, SIGUSR1);
	pid = TRY(fork());
	if (!pid) {
		for (int i = 0; i < 10; i++) {
			TRY(kill(getppid(), SIGUSR2));
			t_sleep_us(t_rand_in(100, 800));
			TRY(kill(getppid(), SIGUSR1));
			sigsuspend(&only1);
		}
		_exit(0);
	}
	for (int i = 0; i < 10; i++) {
		CHECK(sigsuspend(&only1) == -1 && errno == EINTR);
		CHECK(usr1 == i + 1 && usr2 == 0);
		say("%d at %lu\n", usr1, t_now_ns());
		TRY(sigprocmask(SIG_BLOCK, NULL, &now));
		CHECK(sigismember(&now, SIGUSR1));
		TRY(kill(pid, SIGUSR1));
	}
	CHECK(t_wait(pid) == 0);
	TRY(sigprocmask(SIG_UNBLOCK, &block, NULL));
	CHECK(usr2 == 1);
	return 0;
}
