/* A stream socket pair carries bytes both ways between processes. */
#include "t.h"
#include <sys/socket.h>

int main(void)
{
	char buf[128];
	ssize_t n;
	pid_t pid;
	int s[2];

	TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
	pid = TRY(fork());
	if (!pid) {
		TRY(close(s[0]));
		n = TRY(read(s[1], buf, sizeof(buf)));
		CHECK(dprintf(s[1], "%d heard %.*s", getpid(), (int)n, buf) > 0);
		_exit(0);
	}
	TRY(close(s[1]));
	CHECK(dprintf(s[0], "%d at %lu", getpid(), t_now_ns()) > 0);
	n = TRY(recv(s[0], buf, sizeof(buf), 0));
	say("%.*s\n", (int)n, buf);
	CHECK(t_wait(pid) == 0);
	CHECK(recv(s[0], buf, sizeof(buf), 0) == 0);
	CHECK(send(s[0], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
	return 0;
}
