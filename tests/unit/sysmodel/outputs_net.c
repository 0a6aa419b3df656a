/* Sockets, on the loopback interface and between the two ends of a pair. */
#include "probe.h"

#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static uint64_t new_length(uint32_t n)
{
	return probe_put(&n, sizeof(n));
}

static uint64_t loopback(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET};

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return probe_put(&a, sizeof(a));
}

void outputs_of_sockets(void **state)
{
	uint64_t addr = loopback(), len = new_length(16), name = probe_room(128), pair;
	int64_t server = OK(socket, AF_INET, SOCK_STREAM, 0), client, peer;

	OK(bind, server, addr, 16);
	OK(listen, server, 5);
	OK_BYTES(20, getsockname, server, addr, len);
	client = OK(socket, AF_INET, SOCK_STREAM, 0);
	if (CALL(connect, client, addr, 16) == -ENETUNREACH)
		skip(); /* the loopback interface is down */
	peer = OK(accept, server, name, new_length(128));
	assert_int_equal(probe_bytes(), 20);
	OK_BYTES(20, getpeername, client, name, new_length(128));
	/* A buffer that is too small: the length says so, the rest is not written. */
	OK(getpeername, client, probe_room(4), new_length(4));
	OK(sendto, client, probe_str("hello"), 5, 0, 0, 0);
	OK_BYTES(5, recvfrom, peer, name, 100, 0, 0, 0);
	OK(shutdown, client, SHUT_RDWR);
	OK(close, client);
	OK(close, peer);
	client = OK(socket, AF_INET, SOCK_STREAM, 0);
	OK(connect, client, addr, 16);
	OK(close, OK(accept4, server, 0, 0, SOCK_CLOEXEC));
	OK(close, client);
	OK(close, server);
	pair = probe_room(8);
	OK_BYTES(8, socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	OK(getsockname, *(int *)probe_at(pair), name, new_length(110));
	assert_int_equal(CALL(socketpair, AF_INET, SOCK_STREAM, 0, probe_room(8)), -EOPNOTSUPP);
	assert_int_equal(probe_bytes(), 8);
	close(((int *)probe_at(pair))[0]);
	close(((int *)probe_at(pair))[1]);
}

void outputs_of_datagrams(void **state)
{
	uint64_t addr = loopback(), buf = probe_room(100), from = probe_room(128);
	int64_t a = OK(socket, AF_INET, SOCK_DGRAM, 0), b = OK(socket, AF_INET, SOCK_DGRAM, 0);

	OK(bind, a, addr, 16);
	OK(getsockname, a, addr, new_length(16));
	if (CALL(connect, b, addr, 16) == -ENETUNREACH)
		skip();
	for (int i = 0; i < 4; i++)
		OK(sendto, b, probe_str("datagram"), 8, 0, addr, 16);
	OK_BYTES(8 + 16 + 4, recvfrom, a, buf, 100, 0, from, new_length(128));
	/* The result is the whole length, of which three bytes were stored. */
	assert_int_equal(OK(recvfrom, a, buf, 3, MSG_TRUNC, from, new_length(16)), 8);
	assert_int_equal(probe_bytes(), 3 + 16 + 4);
	OK(recvfrom, a, buf, 100, 0, probe_room(4), new_length(4));
	OK_BYTES(8, recvfrom, a, buf, 100, 0, 0, 0);
	assert_int_equal(CALL(recvfrom, a, buf, 100, MSG_DONTWAIT, from, new_length(16)), -EAGAIN);
	assert_int_equal(probe_bytes(), 0);
	OK(close, a);
	OK(close, b);
}

static uint64_t new_header(struct msghdr *h, size_t room, size_t control)
{
	struct iovec v[2] = {{probe_at(probe_room(3)), 3}, {probe_at(probe_room(room)), room}};

	*h = (struct msghdr){.msg_iov = probe_at(probe_put(v, sizeof(v))), .msg_iovlen = 2};
	h->msg_name = probe_at(probe_room(128));
	h->msg_namelen = 128;
	h->msg_control = control ? probe_at(probe_room(control)) : NULL;
	h->msg_controllen = control;
	return probe_put(h, sizeof(*h));
}

static uint64_t message_with_descriptor(int fd)
{
	struct iovec v = {probe_at(probe_str("with a descriptor")), 17};
	struct msghdr h = {.msg_iov = probe_at(probe_put(&v, sizeof(v))), .msg_iovlen = 1};
	union {
		struct cmsghdr h;
		char room[CMSG_SPACE(sizeof(int))];
	} c = {0};

	c.h = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
	memcpy(CMSG_DATA(&c.h), &fd, sizeof(fd));
	h.msg_control = probe_at(probe_put(&c, sizeof(c)));
	h.msg_controllen = sizeof(c);
	return probe_put(&h, sizeof(h));
}

static void many_messages(int a, int b)
{
	struct mmsghdr m[3] = {0};
	struct msghdr out;
	uint64_t list;

	for (int i = 0; i < 3; i++) {
		new_header(&out, 10, 0);
		out.msg_name = NULL;
		out.msg_namelen = 0;
		m[i].msg_hdr = out;
	}
	list = probe_put(m, sizeof(m));
	assert_int_equal(OK(sendmmsg, a, list, 3, 0), 3);
	assert_int_equal(probe_bytes(), 12);
	for (int i = 0; i < 3; i++)
		new_header(&m[i].msg_hdr, 100, 100);
	list = probe_put(m, sizeof(m));
	assert_int_equal(OK(recvmmsg, b, list, 2, 0, probe_put((uint64_t[2]){5, 0}, 16)), 2);
	assert_int_equal(OK(recvmmsg, b, list, 3, MSG_DONTWAIT, 0), 1);
	assert_int_equal(CALL(recvmmsg, b, list, 3, MSG_DONTWAIT, 0), -EAGAIN);
}

void outputs_of_messages(void **state)
{
	int on = 1, s[2];
	struct msghdr h;
	uint64_t at;

	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, s), 0);
	OK(sendmsg, s[0], message_with_descriptor(s[0]), 0);
	at = new_header(&h, 100, 200);
	assert_int_equal(OK(recvmsg, s[1], at, 0), 17);
	h = *(struct msghdr *)probe_at(at);
	assert_true(h.msg_controllen > 0);
	close(*(int *)CMSG_DATA(CMSG_FIRSTHDR(&h)));
	/* No room for the descriptor, and none for the text. */
	OK(sendmsg, s[0], message_with_descriptor(s[0]), 0);
	OK(recvmsg, s[1], new_header(&h, 2, 10), 0);
	setsockopt(s[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
	setsockopt(s[1], SOL_SOCKET, SO_TIMESTAMP, &on, sizeof(on));
	many_messages(s[0], s[1]);
	close(s[0]);
	close(s[1]);
}

static void filter(int s)
{
	struct sock_filter code[2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0), BPF_STMT(BPF_RET | BPF_K, 0xffff)};
	struct sock_fprog prog = {2, probe_at(probe_put(code, sizeof(code)))};

	OK(setsockopt, s, SOL_SOCKET, SO_ATTACH_FILTER, probe_put(&prog, sizeof(prog)),
		sizeof(prog));
	OK(getsockopt, s, SOL_SOCKET, SO_ATTACH_FILTER, probe_room(80), new_length(10));
}

void outputs_of_socket_options(void **state)
{
	uint64_t room = probe_room(300), one = new_length(1);
	int64_t tcp = OK(socket, AF_INET, SOCK_STREAM, 0);
	int s[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	OK(setsockopt, tcp, SOL_SOCKET, SO_REUSEADDR, one, 4);
	OK_BYTES(8, getsockopt, tcp, SOL_SOCKET, SO_ERROR, room, new_length(4));
	OK_BYTES(8, getsockopt, tcp, SOL_SOCKET, SO_SNDBUF, room, new_length(100));
	OK(getsockopt, tcp, SOL_SOCKET, SO_LINGER, room, new_length(8));
	OK(getsockopt, tcp, SOL_SOCKET, SO_RCVTIMEO, room, new_length(16));
	OK(getsockopt, tcp, IPPROTO_TCP, TCP_INFO, room, new_length(300));
	OK(getsockopt, tcp, IPPROTO_TCP, TCP_CONGESTION, room, new_length(16));
	OK(getsockopt, tcp, IPPROTO_IP, IP_TTL, room, new_length(1));
	OK_BYTES(16, getsockopt, s[0], SOL_SOCKET, SO_PEERCRED, room, new_length(12));
	CALL(getsockopt, s[0], SOL_SOCKET, SO_PEERGROUPS, room, new_length(1));
	CALL(getsockopt, s[0], SOL_SOCKET, SO_PEERSEC, room, new_length(1));
	assert_int_equal(
		CALL(getsockopt, tcp, IPPROTO_TCP, 9999, room, new_length(4)), -ENOPROTOOPT);
	filter(s[0]);
	OK(close, tcp);
	close(s[0]);
	close(s[1]);
}
