/* clone3 with a pidfd, an exit signal of one's own, and settid. */
#include "t.h"
#include <linux/sched.h>
#include <poll.h>

static volatile sig_atomic_t got;

static void on_usr1(int sig)
{
	got = sig;
}

int main(void)
{
	int pidfd = -1, tid = 0;
	struct clone_args a = {.flags = CLONE_PIDFD | CLONE_PARENT_SETTID,
		.pidfd = (uintptr_t)&pidfd,
		.parent_tid = (uintptr_t)&tid,
		.exit_signal = SIGUSR1};
	struct pollfd p;
	int status;
	long pid;

	t_on(SIGUSR1, on_usr1, SA_RESTART);
	pid = syscall(SYS_clone3, &a, sizeof(a));
	CHECK(pid >= 0);
	if (!pid) {
		say("child %d\n", getpid());
		_exit(5);
	}
	p = (struct pollfd){.fd = pidfd, .events = POLLIN};
	while (poll(&p, 1, -1) < 0)
		CHECK(errno == EINTR);
	CHECK(tid == pid && TRY(waitpid((pid_t)pid, &status, __WALL)) == pid);
	while (!got)
		sched_yield();
	say("pidfd %d tid %d signal %d status %d\n", pidfd, tid, got, WEXITSTATUS(status));
	CHECK(got == SIGUSR1);
	return 0;
}
