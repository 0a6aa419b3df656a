/* Job control: a background group is stopped by SIGTTIN and by SIGTTOU, then brought forward. */
#include "t.h"
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>

static void job(void)
{
	char c;

	if (read(0, &c, 1) == 1)
		dprintf(1, "job %d read %c\n", getpid(), c);
	_exit(c == 'k' ? 0 : 1);
}

static void leader(void)
{
	int status;
	pid_t pid;

	t_on(SIGTTOU, SIG_IGN, 0);
	pid = TRY(fork());
	if (!pid) {
		TRY(setpgid(0, 0));
		t_on(SIGTTOU, SIG_DFL, 0);
		job();
	}
	setpgid(pid, pid);
	CHECK(TRY(waitpid(pid, &status, WUNTRACED)) == pid);
	CHECK(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTTIN);
	dprintf(1, "stopped by %d, foreground is leader %d\n", WSTOPSIG(status),
		tcgetpgrp(0) == getpid());
	TRY(tcsetpgrp(0, pid));
	TRY(kill(-pid, SIGCONT));
	dprintf(1, "type\n");
	CHECK(t_wait(pid) == 0);
	TRY(tcsetpgrp(0, getpid()));
	dprintf(1, "leader %d again\n", getpid());
	_exit(0);
}

int main(void)
{
	char buf[1024];
	size_t have = 0;
	bool typed = false;
	ssize_t n;
	int m;
	pid_t pid = TRY(forkpty(&m, NULL, NULL, NULL));

	if (!pid)
		leader();
	while ((n = read(m, buf + have, sizeof(buf) - 1 - have)) > 0) {
		have += (size_t)n;
		buf[have] = 0;
		if (!typed && strstr(buf, "type")) {
			CHECK(write(m, "k\n", 2) == 2);
			typed = true;
		}
	}
	say("%s", buf);
	CHECK(t_wait(pid) == 0);
	return 0;
}
