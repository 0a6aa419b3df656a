/* Closing the master hangs up the session: SIGHUP and end of file. */
#include "t.h"
#include <pty.h>

static int report;

static void on_hup(int sig)
{
	say_to(report, "signal %d in %d\n", sig, getpid());
}

int main(void)
{
	char buf[128];
	int p[2], m;
	ssize_t n;
	pid_t pid;

	TRY(pipe(p));
	report = p[1];
	pid = TRY(forkpty(&m, NULL, NULL, NULL));
	if (!pid) {
		t_on(SIGHUP, on_hup, SA_RESTART);
		say_to(1, "r");
		n = read(0, buf, 1);
		say_to(report, "read %zd errno %d\n", n, n < 0 ? errno : 0);
		_exit(4);
	}
	CHECK(read(m, buf, 1) == 1);
	TRY(close(p[1]));
	TRY(close(m));
	while ((n = TRY(read(p[0], buf, sizeof(buf)))) > 0)
		say("%.*s", (int)n, buf);
	CHECK(WEXITSTATUS(t_wait(pid)) == 4);
	return 0;
}
