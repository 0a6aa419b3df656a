/* Writing to a pipe without readers: SIGPIPE caught, ignored, and deadly. */
#include "t.h"

static void on_pipe(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	say("signal %d code %d pid %d\n", sig, si->si_code, si->si_pid);
}

int main(void)
{
	int p[2];
	pid_t pid;

	TRY(pipe(p));
	TRY(close(p[0]));
	t_on_info(SIGPIPE, on_pipe, 0);
	CHECK(write(p[1], "x", 1) == -1 && errno == EPIPE);
	t_on(SIGPIPE, SIG_IGN, 0);
	CHECK(write(p[1], "x", 1) == -1 && errno == EPIPE);
	t_on(SIGPIPE, SIG_DFL, 0);
	pid = TRY(fork());
	if (!pid) {
		if (write(p[1], "x", 1))
			_exit(1);
		_exit(0);
	}
	t_say_status("child", t_wait(pid));
	return 0;
}
