/* A named UNIX socket: listen, connect, getsockname, getpeername, peer credentials. */
#include "t.h"
#include <sys/socket.h>
#include <sys/un.h>

int main(void)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "sock"}, peer;
	socklen_t len = sizeof(peer), clen = sizeof(struct ucred);
	int l = TRY(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)), c;
	struct ucred cred;
	char buf[64];
	ssize_t n;
	pid_t pid;

	t_tmp();
	TRY(bind(l, (struct sockaddr *)&a, sizeof(a)));
	TRY(listen(l, 5));
	pid = TRY(fork());
	if (!pid) {
		c = TRY(socket(AF_UNIX, SOCK_STREAM, 0));
		TRY(connect(c, (struct sockaddr *)&a, sizeof(a)));
		CHECK(dprintf(c, "client %d", getpid()) > 0);
		n = TRY(read(c, buf, sizeof(buf)));
		say("client read %.*s\n", (int)n, buf);
		_exit(0);
	}
	c = TRY(accept(l, (struct sockaddr *)&peer, &len));
	TRY(getsockopt(c, SOL_SOCKET, SO_PEERCRED, &cred, &clen));
	say("peer pid %d uid %u, address length %u\n", cred.pid, cred.uid, len);
	CHECK(cred.pid == pid);
	n = TRY(read(c, buf, sizeof(buf)));
	say("server read %.*s\n", (int)n, buf);
	len = sizeof(peer);
	TRY(getsockname(c, (struct sockaddr *)&peer, &len));
	CHECK(strcmp(peer.sun_path, "sock") == 0);
	CHECK(dprintf(c, "time %lu", t_now_ns()) > 0);
	CHECK(t_wait(pid) == 0);
	return 0;
}
