/* MSG_PEEK, MSG_WAITALL, MSG_DONTWAIT and shutdown on a TCP connection. */
#include "inet.h"

int main(void)
{
	struct sockaddr_in a;
	int l = inet_bound(SOCK_STREAM, &a), c, s;
	char buf[64], want[20];

	c = inet_dial(&a);
	s = TRY(accept(l, NULL, NULL));
	CHECK(recv(s, buf, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
	t_fill_random(want, sizeof(want));
	CHECK(send(c, want, 20, 0) == 20);
	CHECK(recv(s, buf, 20, MSG_PEEK | MSG_WAITALL) == 20);
	CHECK(recv(s, buf, 5, 0) == 5 && recv(s, buf + 5, 15, MSG_WAITALL) == 15);
	CHECK(memcmp(buf, want, 20) == 0);
	say("%016lx\n", t_hash(buf, 20));
	TRY(shutdown(c, SHUT_RD));
	TRY(shutdown(c, SHUT_WR));
	CHECK(recv(s, buf, 1, 0) == 0);
	CHECK(send(c, "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
	say("peer was port %d\n", ntohs(a.sin_port));
	return 0;
}
