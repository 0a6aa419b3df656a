/* SO_PASSCRED: each message tells who sent it. */
#include "t.h"
#include <sys/socket.h>

int main(void)
{
	union {
		char buf[CMSG_SPACE(sizeof(struct ucred))];
		struct cmsghdr align;
	} u;
	char text[32];
	struct iovec iov = {text, sizeof(text)};
	int s[2], on = 1;

	TRY(socketpair(AF_UNIX, SOCK_DGRAM, 0, s));
	TRY(setsockopt(s[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)));
	for (int i = 0; i < 3; i++) {
		struct msghdr m = {.msg_iov = &iov,
			.msg_iovlen = 1,
			.msg_control = u.buf,
			.msg_controllen = sizeof(u.buf)};
		struct ucred cred;
		pid_t pid = TRY(fork());
		ssize_t n;

		if (!pid) {
			CHECK(dprintf(s[1], "I am %d", getpid()) > 0);
			_exit(0);
		}
		n = TRY(recvmsg(s[0], &m, 0));
		CHECK(CMSG_FIRSTHDR(&m) && CMSG_FIRSTHDR(&m)->cmsg_type == SCM_CREDENTIALS);
		memcpy(&cred, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(cred));
		say("%.*s, kernel says %d uid %u\n", (int)n, text, cred.pid, cred.uid);
		CHECK(cred.pid == pid && t_wait(pid) == 0);
	}
	return 0;
}
