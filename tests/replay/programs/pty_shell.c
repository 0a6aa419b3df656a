/* A shell on a pseudo-terminal, driven by typing. */
#include "t.h"
#include <pty.h>

static void until(int m, const char *what)
{
	char buf[4096];
	size_t have = 0;
	ssize_t n;

	buf[0] = 0;
	while (!strstr(buf, what)) {
		n = TRY(read(m, buf + have, sizeof(buf) - 1 - have));
		CHECK(n > 0);
		have += (size_t)n;
		buf[have] = 0;
	}
	say("%s", buf);
}

int main(void)
{
	int m;
	pid_t pid = TRY(forkpty(&m, NULL, NULL, NULL));

	if (!pid) {
		TRY(setenv("PS1", "$ ", 1));
		TRY(unsetenv("ENV"));
		execl("/bin/sh", "sh", "-i", NULL);
		_exit(127);
	}
	until(m, "$ ");
	CHECK(write(m, "echo pid=$$ tty=`tty` end\n", 26) == 26);
	until(m, "end\r\n");
	until(m, "$ ");
	CHECK(write(m, "exit 5\n", 7) == 7);
	for (char c; read(m, &c, 1) == 1;)
		continue;
	say("\n");
	t_say_status("shell", t_wait(pid));
	return 0;
}
