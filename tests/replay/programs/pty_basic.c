/* A pseudo-terminal pair: echo, line discipline, sizes. */
#include "t.h"
#include <pty.h>
#include <sys/ioctl.h>

int main(void)
{
	struct winsize ws = {.ws_row = 33, .ws_col = 101}, got;
	char name[64], buf[128];
	int m, s;
	ssize_t n;

	TRY(openpty(&m, &s, name, NULL, &ws));
	say("%s tty %d\n", name, isatty(s));
	CHECK(isatty(s) && ttyname(s));
	CHECK(write(m, "hello\n", 6) == 6);
	n = TRY(read(s, buf, sizeof(buf)));
	CHECK(n == 6 && memcmp(buf, "hello\n", 6) == 0);
	n = TRY(read(m, buf, sizeof(buf)));
	say("echoed %zd bytes\n", n);
	CHECK(dprintf(s, "%d\n", getpid()) > 0);
	n = TRY(read(m, buf, sizeof(buf)));
	say("master read %.*s", (int)n, buf);
	CHECK(buf[n - 1] == '\n' && buf[n - 2] == '\r');
	TRY(ioctl(s, TIOCGWINSZ, &got));
	CHECK(got.ws_row == 33 && got.ws_col == 101);
	TRY(close(s));
	CHECK(read(m, buf, 1) == -1 && errno == EIO);
	return 0;
}
