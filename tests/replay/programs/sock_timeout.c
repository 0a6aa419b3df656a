/* SO_RCVTIMEO and SO_SNDTIMEO end a wait with EAGAIN. */
#include "t.h"
#include <sys/socket.h>

int main(void)
{
	struct timeval tv = {0, 3000};
	char buf[65536] = {0};
	long total = 0;
	uint64_t t;
	ssize_t n;
	int s[2];

	TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
	TRY(setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)));
	TRY(setsockopt(s[0], SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv)));
	t = t_now_ns();
	CHECK(recv(s[0], buf, 1, 0) == -1 && errno == EAGAIN);
	say("waited %lu ns\n", t_now_ns() - t);
	while ((n = send(s[0], buf, sizeof(buf), 0)) > 0)
		total += n;
	CHECK(errno == EAGAIN);
	say("sent %ld until %lu\n", total, t_now_ns());
	return 0;
}
