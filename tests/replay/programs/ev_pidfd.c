/* pidfd_open: polled until the child ends, then reaped by waitid; a signal is sent through it. */
#include "t.h"
#include <poll.h>
#include <sys/pidfd.h>

int main(void)
{
	siginfo_t si = {0};
	struct pollfd p;
	pid_t pid = TRY(fork());
	int fd;

	if (!pid) {
		pause();
		_exit(1);
	}
	fd = TRY((int)syscall(SYS_pidfd_open, pid, 0));
	p = (struct pollfd){.fd = fd, .events = POLLIN};
	CHECK(poll(&p, 1, 0) == 0);
	TRY(syscall(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0));
	CHECK(poll(&p, 1, -1) == 1 && p.revents & POLLIN);
	TRY(waitid(P_PIDFD, (id_t)fd, &si, WEXITED));
	say("child %d code %d status %d\n", si.si_pid, si.si_code, si.si_status);
	CHECK(si.si_pid == pid && si.si_code == CLD_KILLED && si.si_status == SIGTERM);
	CHECK(syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0) == -1 && errno == ESRCH);
	return 0;
}
