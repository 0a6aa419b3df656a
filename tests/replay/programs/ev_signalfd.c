/* signalfd reads queued signals as records. */
#include "t.h"
#include <sys/signalfd.h>

int main(void)
{
	struct signalfd_siginfo si[4];
	union sigval v;
	sigset_t set;
	ssize_t n;
	pid_t pid;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGCHLD);
	TRY(sigprocmask(SIG_BLOCK, &set, NULL));
	fd = TRY(signalfd(-1, &set, SFD_NONBLOCK));
	CHECK(read(fd, si, sizeof(si)) == -1 && errno == EAGAIN);
	for (int i = 0; i < 3; i++) {
		v.sival_int = (int)(t_rand() % 10000);
		TRY(sigqueue(getpid(), SIGRTMIN, v));
	}
	TRY(kill(getpid(), SIGUSR1));
	n = TRY(read(fd, si, sizeof(si)));
	CHECK(n == 4 * sizeof(si[0]));
	for (int i = 0; i < 4; i++)
		say("signo %u code %d pid %u int %d\n", si[i].ssi_signo, si[i].ssi_code,
			si[i].ssi_pid, si[i].ssi_int);
	TRY(fcntl(fd, F_SETFL, 0));
	pid = TRY(fork());
	if (!pid)
		_exit(42);
	CHECK(read(fd, si, sizeof(si[0])) == sizeof(si[0]));
	say("child %u status %d utime %lu\n", si[0].ssi_pid, si[0].ssi_status,
		(unsigned long)si[0].ssi_utime);
	CHECK(si[0].ssi_pid == (unsigned)pid && WEXITSTATUS(t_wait(pid)) == 42);
	return 0;
}
