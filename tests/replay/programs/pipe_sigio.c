/* O_ASYNC: the arrival of data on a socket raises SIGIO with the descriptor and band. */
#include "t.h"
#include <sys/socket.h>

static volatile sig_atomic_t hits;
static int fd;

static void on_io(int sig, siginfo_t *si, void *ctx)
{
	char buf[64];
	ssize_t n = read(fd, buf, sizeof(buf));

	(void)ctx;
	say("signal %d band %lx own fd %d read %zd\n", sig, (unsigned long)si->si_band,
		si->si_fd == fd, n);
	hits++;
}

int main(void)
{
	sigset_t old, set;
	int s[2];
	pid_t pid;

	TRY(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s));
	fd = s[0];
	t_on_info(SIGRTMIN + 3, on_io, SA_RESTART);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	TRY(sigprocmask(SIG_BLOCK, &set, &old));
	TRY(fcntl(fd, F_SETOWN, getpid()));
	TRY(fcntl(fd, F_SETSIG, SIGRTMIN + 3));
	TRY(fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK));
	CHECK(fcntl(fd, F_GETOWN) == getpid());
	pid = TRY(fork());
	if (!pid) {
		for (int i = 0; i < 5; i++) {
			CHECK(write(s[1], "hello", t_rand_in(1, 5)) > 0);
			t_sleep_us(t_rand_in(200, 1500));
		}
		_exit(0);
	}
	while (hits < 5)
		sigsuspend(&old);
	CHECK(t_wait(pid) == 0);
	return 0;
}
