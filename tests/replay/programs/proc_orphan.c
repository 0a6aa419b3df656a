/* An orphan outlives its parent, and tells of its new one through a pipe. */
#include "t.h"

int main(void)
{
	char buf[128];
	int p[2], go[2];
	ssize_t n;
	pid_t pid;

	TRY(pipe(p));
	TRY(pipe(go));
	pid = TRY(fork());
	if (!pid) {
		pid_t parent = getpid();

		if (TRY(fork()) == 0) {
			CHECK(read(go[0], buf, 1) == 1);
			CHECK(getppid() != parent);
			CHECK(dprintf(p[1], "orphan %d had %d has %d", getpid(), parent,
				      getppid()) > 0);
			_exit(0);
		}
		_exit(4);
	}
	CHECK(WEXITSTATUS(t_wait(pid)) == 4);
	CHECK(write(go[1], "g", 1) == 1);
	TRY(close(p[1]));
	n = TRY(read(p[0], buf, sizeof(buf)));
	say("%.*s\n", (int)n, buf);
	while (read(p[0], buf, 1) > 0) /* until it is gone */
		continue;
	return 0;
}
