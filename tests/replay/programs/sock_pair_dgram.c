/* Datagram and seqpacket pairs keep borders; too long ones are cut and flagged. */
#include "t.h"
#include <sys/socket.h>

static void run(int type, const char *name)
{
	char buf[64], data[100];
	struct iovec iov = {buf, sizeof(buf)};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	int s[2];
	ssize_t n;

	TRY(socketpair(AF_UNIX, type, 0, s));
	t_fill_random(data, sizeof(data));
	CHECK(send(s[0], data, 10, 0) == 10 && send(s[0], data, 100, 0) == 100);
	CHECK(send(s[0], data, 1, 0) == 1);
	n = TRY(recv(s[1], buf, sizeof(buf), MSG_PEEK));
	CHECK(n == 10);
	CHECK(recv(s[1], buf, sizeof(buf), 0) == 10);
	say("%s: %016lx\n", name, t_hash(buf, 10));
	n = TRY(recvmsg(s[1], &m, MSG_TRUNC));
	say("%s: %zd flags %x\n", name, n, m.msg_flags);
	CHECK(n == 100 && m.msg_flags & MSG_TRUNC);
	CHECK(recv(s[1], buf, sizeof(buf), 0) == 1);
	CHECK(recv(s[1], buf, sizeof(buf), MSG_DONTWAIT) == -1 && errno == EAGAIN);
	close(s[0]);
	close(s[1]);
}

int main(void)
{
	run(SOCK_DGRAM, "dgram");
	run(SOCK_SEQPACKET, "seqpacket");
	return 0;
}
