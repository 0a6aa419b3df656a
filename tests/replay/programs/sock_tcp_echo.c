/* A TCP echo over loopback between two processes. */
#include "inet.h"

static void serve(int l)
{
	struct sockaddr_in from;
	socklen_t len = sizeof(from);
	int c = TRY(accept4(l, (struct sockaddr *)&from, &len, SOCK_CLOEXEC));
	char buf[256];
	ssize_t n;

	say("server: client port %d\n", ntohs(from.sin_port));
	while ((n = TRY(recv(c, buf, sizeof(buf), 0))) > 0)
		CHECK(send(c, buf, (size_t)n, 0) == n);
}

int main(void)
{
	struct sockaddr_in a;
	int l = inet_bound(SOCK_STREAM, &a), c;
	char buf[256];
	pid_t pid;

	say("listening on %d\n", ntohs(a.sin_port));
	pid = TRY(fork());
	if (!pid) {
		serve(l);
		_exit(0);
	}
	c = inet_dial(&a);
	for (int i = 0; i < 20; i++) {
		int want = snprintf(buf, sizeof(buf), "%d %lu\n", i, t_now_ns());

		CHECK(send(c, buf, (size_t)want, 0) == want);
		CHECK(recv(c, buf, (size_t)want, MSG_WAITALL) == want);
		say("%.*s", want, buf);
	}
	TRY(shutdown(c, SHUT_WR));
	CHECK(recv(c, buf, sizeof(buf), 0) == 0);
	CHECK(t_wait(pid) == 0);
	return 0;
}
