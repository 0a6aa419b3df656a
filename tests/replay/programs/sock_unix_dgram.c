/* Named and abstract datagram sockets, sendto and recvfrom with addresses. */
#include "t.h"
#include <sys/socket.h>
#include <sys/un.h>

int main(void)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "a"}, from;
	struct sockaddr_un b = {.sun_family = AF_UNIX};
	int x = TRY(socket(AF_UNIX, SOCK_DGRAM, 0)), y = TRY(socket(AF_UNIX, SOCK_DGRAM, 0));
	socklen_t len = sizeof(from);
	char buf[64];
	ssize_t n;

	t_tmp();
	TRY(bind(x, (struct sockaddr *)&a, sizeof(a)));
	TRY(bind(y, (struct sockaddr *)&b, sizeof(sa_family_t))); /* the kernel picks a name */
	TRY(getsockname(y, (struct sockaddr *)&b, &len));
	say("abstract name @%s\n", b.sun_path + 1);
	n = snprintf(buf, sizeof(buf), "%lu", t_now_ns());
	CHECK(sendto(y, buf, (size_t)n, 0, (struct sockaddr *)&a, sizeof(a)) == n);
	len = sizeof(from);
	n = TRY(recvfrom(x, buf, sizeof(buf), 0, (struct sockaddr *)&from, &len));
	say("%.*s from @%s length %u\n", (int)n, buf, from.sun_path + 1, len);
	CHECK(memcmp(from.sun_path, b.sun_path, 6) == 0);
	CHECK(sendto(x, "back", 4, 0, (struct sockaddr *)&from, len) == 4);
	CHECK(recv(y, buf, sizeof(buf), 0) == 4);
	TRY(connect(y, (struct sockaddr *)&a, sizeof(a)));
	CHECK(send(y, "z", 1, 0) == 1 && recv(x, buf, sizeof(buf), 0) == 1);
	TRY(unlink("a"));
	CHECK(connect(y, (struct sockaddr *)&a, sizeof(a)) == -1 && errno == ENOENT);
	return 0;
}
