/* UDP datagrams over loopback, from kernel-chosen ports, connected and not. */
#include "inet.h"

int main(void)
{
	struct sockaddr_in a, from;
	int s = inet_bound(SOCK_DGRAM, &a), c = TRY(socket(AF_INET, SOCK_DGRAM, 0));
	socklen_t len = sizeof(from);
	char buf[128];
	ssize_t n;

	n = snprintf(buf, sizeof(buf), "now %lu", t_now_ns());
	CHECK(sendto(c, buf, (size_t)n, 0, (struct sockaddr *)&a, sizeof(a)) == n);
	CHECK(recvfrom(s, buf, sizeof(buf), 0, (struct sockaddr *)&from, &len) == n);
	say("%.*s from port %d\n", (int)n, buf, ntohs(from.sin_port));
	TRY(connect(c, (struct sockaddr *)&a, sizeof(a)));
	CHECK(send(c, "abc", 3, 0) == 3 && send(c, "", 0, 0) == 0);
	CHECK(recv(s, buf, sizeof(buf), 0) == 3 && recv(s, buf, sizeof(buf), 0) == 0);
	TRY(connect(s, (struct sockaddr *)&from, sizeof(from)));
	CHECK(send(s, "pong", 4, 0) == 4);
	CHECK(recv(c, buf, sizeof(buf), MSG_TRUNC) == 4);
	TRY(close(s));
	CHECK(send(c, "x", 1, 0) == 1);
	n = recv(c, buf, sizeof(buf), 0);
	say("after close: %zd errno %d\n", n, errno);
	CHECK(n == -1 && errno == ECONNREFUSED);
	return 0;
}
