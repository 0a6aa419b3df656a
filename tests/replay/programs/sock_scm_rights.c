/* An open file travels from child to parent over SCM_RIGHTS. */
#include "t.h"
#include <sys/socket.h>

union control {
	char buf[CMSG_SPACE(2 * sizeof(int))];
	struct cmsghdr align;
};

static void send_fds(int s)
{
	int fds[2] = {TRY(open("f", O_RDONLY)), TRY(open("/dev/null", O_RDWR))};
	char byte = 'B';
	struct iovec iov = {&byte, 1};
	union control u = {0};
	struct msghdr m = {.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = u.buf,
		.msg_controllen = sizeof(u.buf)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(c), fds, sizeof(fds));
	CHECK(sendmsg(s, &m, 0) == 1);
}

int main(void)
{
	char byte, text[32];
	struct iovec iov = {&byte, 1};
	union control u;
	struct msghdr m = {.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = u.buf,
		.msg_controllen = sizeof(u.buf)};
	int s[2], fds[2];
	ssize_t n;
	pid_t pid;

	t_tmp();
	TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
	pid = TRY(fork());
	if (!pid) {
		int len = snprintf(text, sizeof(text), "%lu", t_now_ns());

		t_write_file("f", text, (size_t)len);
		send_fds(s[1]);
		_exit(0);
	}
	CHECK(recvmsg(s[0], &m, MSG_CMSG_CLOEXEC) == 1 && byte == 'B');
	CHECK(CMSG_FIRSTHDR(&m)->cmsg_type == SCM_RIGHTS);
	memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fds));
	n = TRY(read(fds[0], text, sizeof(text)));
	say("received fd %d and %d, first holds %.*s\n", fds[0], fds[1], (int)n, text);
	CHECK(fcntl(fds[0], F_GETFD) == FD_CLOEXEC);
	CHECK(t_wait(pid) == 0);
	return 0;
}
