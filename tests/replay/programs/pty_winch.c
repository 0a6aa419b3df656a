/* SIGWINCH reaches the foreground process when the master changes the size. */
#include "t.h"
#include <pty.h>
#include <sys/ioctl.h>

static volatile sig_atomic_t changed;

static void on_winch(int sig)
{
	(void)sig;
	changed++;
}

static void child(void)
{
	struct winsize ws;
	sigset_t none;
	int seen = 0;

	sigemptyset(&none);
	dprintf(1, "ready %d\n", getpid());
	do {
		while (changed == seen)
			sigsuspend(&none);
		seen = changed;
		TRY(ioctl(0, TIOCGWINSZ, &ws));
		dprintf(1, "size %dx%d\n", ws.ws_col, ws.ws_row);
	} while (ws.ws_col != 200);
	_exit(0);
}

static void line(int m, char *buf, size_t size)
{
	size_t n = 0;

	while (n + 1 < size && read(m, buf + n, 1) == 1 && buf[n] != '\n')
		n++;
	buf[n] = 0;
	say("%s\n", buf);
}

int main(void)
{
	char buf[128];
	pid_t pid;
	int m;

	t_on(SIGWINCH, on_winch, SA_RESTART);
	t_block(SIGWINCH, SIG_BLOCK);
	pid = TRY(forkpty(&m, NULL, NULL, NULL));
	if (!pid)
		child();
	line(m, buf, sizeof(buf));
	for (unsigned short i = 1; i <= 4; i++) {
		struct winsize ws = {.ws_row = (unsigned short)t_rand_in(10, 90),
			.ws_col = i == 4 ? 200 : (unsigned short)(50 + i)};

		TRY(ioctl(m, TIOCSWINSZ, &ws));
		line(m, buf, sizeof(buf));
	}
	CHECK(t_wait(pid) == 0);
	return 0;
}
