/* Control-C typed at the master interrupts the foreground process, control-backslash ends it. */
#include "t.h"
#include <pty.h>

static volatile sig_atomic_t got;

static void on_int(int sig)
{
	got++;
	say_to(1, "caught %d\n", sig);
}

int main(void)
{
	char buf[256];
	int status, m;
	pid_t pid = TRY(forkpty(&m, NULL, NULL, NULL));
	ssize_t n;

	if (!pid) {
		t_on(SIGINT, on_int, SA_RESTART);
		TRY(setpgid(0, 0) == 0 || errno == EPERM ? 0 : -1);
		say_to(1, "ready %d\n", getpid());
		while (!got)
			usleep(100);
		t_on(SIGTSTP, SIG_DFL, 0);
		for (;;)
			pause();
	}
	n = TRY(read(m, buf, sizeof(buf)));
	say("%.*s", (int)n, buf);
	CHECK(write(m, "\3", 1) == 1);
	for (size_t have = 0; !memmem(buf, have, "caught", 6); have += (size_t)n)
		n = TRY(read(m, buf + have, sizeof(buf) - have));
	say("interrupted\n");
	CHECK(write(m, "\34", 1) == 1); /* quit */
	CHECK(TRY(waitpid(pid, &status, 0)) == pid);
	t_say_status("child", status);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGQUIT);
	return 0;
}
