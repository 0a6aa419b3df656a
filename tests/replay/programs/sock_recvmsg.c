/* sendmsg and recvmsg with scattered buffers, names, flags and a timestamp. */
#include "inet.h"

int main(void)
{
	struct sockaddr_in a, from;
	int s = inet_bound(SOCK_DGRAM, &a), c = TRY(socket(AF_INET, SOCK_DGRAM, 0)), on = 1;
	char p[3][10], q[2][12];
	struct iovec out[3] = {{p[0], 10}, {p[1], 5}, {p[2], 7}};
	struct iovec in[2] = {{q[0], 12}, {q[1], 12}};
	struct msghdr m = {
		.msg_name = &a, .msg_namelen = sizeof(a), .msg_iov = out, .msg_iovlen = 3};
	union {
		char buf[256];
		struct cmsghdr align;
	} u;
	ssize_t n;

	TRY(setsockopt(s, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof(on)));
	t_fill_random(p, sizeof(p));
	CHECK(sendmsg(c, &m, 0) == 22);
	m = (struct msghdr){.msg_name = &from,
		.msg_namelen = sizeof(from),
		.msg_iov = in,
		.msg_iovlen = 2,
		.msg_control = u.buf,
		.msg_controllen = sizeof(u.buf)};
	n = TRY(recvmsg(s, &m, 0));
	say("got %zd from port %d, hash %016lx, control %zu\n", n, ntohs(from.sin_port),
		t_hash(q, 22), m.msg_controllen);
	CHECK(n == 22);
	for (struct cmsghdr *h = CMSG_FIRSTHDR(&m); h; h = CMSG_NXTHDR(&m, h)) {
		struct timeval tv;

		CHECK(h->cmsg_level == SOL_SOCKET && h->cmsg_type == SO_TIMESTAMP);
		memcpy(&tv, CMSG_DATA(h), sizeof(tv));
		say("stamped %ld.%06ld\n", tv.tv_sec, tv.tv_usec);
	}
	return 0;
}
