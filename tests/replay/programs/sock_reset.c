/* Closing with zero linger resets: the peer reads ECONNRESET. */
#include "inet.h"
#include <poll.h>

int main(void)
{
	struct linger lg = {1, 0};
	struct sockaddr_in a;
	int l = inet_bound(SOCK_STREAM, &a), c = inet_dial(&a), s = TRY(accept(l, NULL, NULL));
	struct pollfd p = {.fd = c, .events = POLLIN};
	char buf[8];

	CHECK(write(c, "x", 1) == 1);
	TRY(setsockopt(s, SOL_SOCKET, SO_LINGER, &lg, sizeof(lg)));
	TRY(close(s));
	CHECK(poll(&p, 1, -1) == 1);
	say("revents %x port %d\n", p.revents, ntohs(a.sin_port));
	CHECK(read(c, buf, 8) == -1 && errno == ECONNRESET);
	return 0;
}
