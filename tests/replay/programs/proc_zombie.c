/* A zombie is visible in /proc until it is reaped. */
#include "t.h"

static char state_of(pid_t pid)
{
	char path[64], buf[512], *p;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return '-';
	n = TRY(read(fd, buf, sizeof(buf) - 1));
	buf[n] = 0;
	TRY(close(fd));
	p = strrchr(buf, ')');
	return p ? p[2] : '?';
}

int main(void)
{
	siginfo_t si;
	pid_t pid = TRY(fork());

	if (!pid)
		_exit(8);
	TRY(waitid(P_PID, (id_t)pid, &si, WEXITED | WNOWAIT));
	say("%d is %c\n", pid, state_of(pid));
	CHECK(state_of(pid) == 'Z');
	TRY(kill(pid, 0));
	t_say_status("reaped", t_wait(pid));
	say("%d is %c\n", pid, state_of(pid));
	CHECK(kill(pid, 0) == -1 && errno == ESRCH);
	return 0;
}
