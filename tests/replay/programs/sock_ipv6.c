/* TCP over ::1, where IPv6 is there. */
#include "inet.h"

int main(void)
{
	struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT}, peer;
	socklen_t len = sizeof(a), plen = sizeof(peer);
	char text[INET6_ADDRSTRLEN], buf[8];
	int l = socket(AF_INET6, SOCK_STREAM, 0), c, s;

	if (l < 0 || bind(l, (struct sockaddr *)&a, sizeof(a)) < 0) {
		say("no IPv6: %d, pid %d\n", errno, getpid());
		return 0;
	}
	TRY(listen(l, 1));
	TRY(getsockname(l, (struct sockaddr *)&a, &len));
	c = TRY(socket(AF_INET6, SOCK_STREAM, 0));
	TRY(connect(c, (struct sockaddr *)&a, sizeof(a)));
	s = TRY(accept(l, (struct sockaddr *)&peer, &plen));
	CHECK(inet_ntop(AF_INET6, &peer.sin6_addr, text, sizeof(text)));
	say("%s port %d to %d\n", text, ntohs(peer.sin6_port), ntohs(a.sin6_port));
	CHECK(write(c, "six", 3) == 3 && read(s, buf, sizeof(buf)) == 3);
	return 0;
}
