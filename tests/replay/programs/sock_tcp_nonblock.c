/* A nonblocking connect: EINPROGRESS, writable, SO_ERROR; and one that is refused. */
#include "inet.h"
#include <poll.h>

static int dial(const struct sockaddr_in *a)
{
	int fd = TRY(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)), err = -1;
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	socklen_t len = sizeof(err);
	int r = connect(fd, (const struct sockaddr *)a, sizeof(*a));

	say("connect %d errno %d\n", r, r ? errno : 0);
	if (r < 0 && errno == EINPROGRESS)
		CHECK(poll(&p, 1, -1) == 1);
	TRY(getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len));
	say("poll %x error %d\n", p.revents, err);
	close(fd);
	return err;
}

int main(void)
{
	struct sockaddr_in a;
	int l = inet_bound(SOCK_STREAM, &a);

	say("port %d\n", ntohs(a.sin_port));
	CHECK(dial(&a) == 0);
	TRY(fcntl(l, F_SETFL, O_NONBLOCK));
	close(TRY(accept(l, NULL, NULL)));
	CHECK(accept(l, NULL, NULL) == -1 && errno == EAGAIN);
	TRY(close(l));
	CHECK(dial(&a) == ECONNREFUSED || errno == ECONNREFUSED);
	return 0;
}
