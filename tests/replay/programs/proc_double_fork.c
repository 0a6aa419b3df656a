/* A daemon's double fork, with a session of its own. */
#include "t.h"

int main(void)
{
	char buf[200];
	int p[2];
	ssize_t n;
	pid_t pid;

	TRY(pipe(p));
	pid = TRY(fork());
	if (!pid) {
		TRY(setsid());
		if (TRY(fork()) == 0) {
			TRY(chdir("/"));
			umask(0);
			CHECK(dprintf(p[1], "daemon %d session %d group %d", getpid(), getsid(0),
				      getpgrp()) > 0);
			CHECK(getsid(0) != getpid());
			_exit(0);
		}
		_exit(0);
	}
	CHECK(t_wait(pid) == 0);
	TRY(close(p[1]));
	while ((n = TRY(read(p[0], buf, sizeof(buf)))) > 0)
		say("%.*s\n", (int)n, buf);
	return 0;
}
