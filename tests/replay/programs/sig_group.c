/* kill to a process group reaches all its members. */
#include "t.h"

static void on_usr1(int sig)
{
	(void)sig;
}

int main(void)
{
	pid_t pids[4], group = 0;
	sigset_t old;
	int p[2];
	char c;

	TRY(pipe(p));
	sigemptyset(&old);
	t_on(SIGUSR1, on_usr1, 0);
	t_block(SIGUSR1, SIG_BLOCK);
	for (int i = 0; i < 4; i++) {
		pids[i] = TRY(fork());
		if (!pids[i]) {
			TRY(setpgid(0, group));
			CHECK(write(p[1], "r", 1) == 1);
			sigsuspend(&old);
			say("%d of group %d heard it\n", getpid(), getpgrp());
			_exit(i);
		}
		CHECK(read(p[0], &c, 1) == 1);
		if (!group)
			group = pids[0];
	}
	TRY(killpg(group, SIGUSR1));
	for (int i = 0; i < 4; i++)
		CHECK(WEXITSTATUS(t_wait(pids[i])) == i);
	CHECK(killpg(group, 0) == -1 && errno == ESRCH);
	return 0;
}
