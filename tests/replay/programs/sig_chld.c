/* SIGCHLD handlers reap children that end at random times. */
#include "t.h"

static volatile sig_atomic_t reaped;

static void on_chld(int sig, siginfo_t *si, void *ctx)
{
	int status;
	pid_t pid;

	(void)sig;
	(void)ctx;
	say("SIGCHLD for %d code %d status %d\n", si->si_pid, si->si_code, si->si_status);
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		say("reaped %d with %d\n", pid, WEXITSTATUS(status));
		reaped++;
	}
}

int main(void)
{
	sigset_t none;

	sigemptyset(&none);
	t_on_info(SIGCHLD, on_chld, SA_RESTART | SA_NOCLDSTOP);
	t_block(SIGCHLD, SIG_BLOCK);
	for (int i = 0; i < 10; i++) {
		if (TRY(fork()) == 0) {
			t_sleep_us(t_rand_in(0, 2000));
			_exit(i);
		}
	}
	while (reaped < 10)
		sigsuspend(&none);
	CHECK(waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
	return 0;
}
