/* A read lease is broken by a child that wants to write: a signal, then the child goes on. */
#include "t.h"

static volatile sig_atomic_t broken;
static int lease_fd;

static void on_break(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	say("signal %d for fd %s\n", sig, si->si_fd == lease_fd ? "of the lease" : "unknown");
	broken = 1;
	fcntl(lease_fd, F_SETLEASE, F_UNLCK);
}

int main(void)
{
	pid_t pid;

	t_tmp();
	t_write_file("f", "x", 1);
	lease_fd = TRY(open("f", O_RDONLY));
	t_on_info(SIGRTMIN, on_break, SA_RESTART);
	TRY(fcntl(lease_fd, F_SETSIG, SIGRTMIN));
	if (fcntl(lease_fd, F_SETLEASE, F_RDLCK) < 0) {
		CHECK(errno == EINVAL || errno == EAGAIN || errno == EOPNOTSUPP);
		say("no leases here: %d\n", errno);
		return 0;
	}
	pid = TRY(fork());
	if (!pid) {
		uint64_t t = t_now_ns();

		TRY(open("f", O_WRONLY));
		say("child opened after %lu ns\n", t_now_ns() - t);
		_exit(0);
	}
	CHECK(t_wait(pid) == 0 && broken);
	return 0;
}
