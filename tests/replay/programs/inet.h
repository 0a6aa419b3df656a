/* Loopback sockets for the programs that need them; ports are the kernel's choice. */
#pragma once
#include "t.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

static inline struct sockaddr_in inet_local(unsigned short port)
{
	struct sockaddr_in a;

	memset(&a, 0, sizeof(a));
	a.sin_family = AF_INET;
	a.sin_port = port;
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return a;
}

/* A bound socket and its address; listening when it is a stream socket. */
static inline int inet_bound(int type, struct sockaddr_in *ret_addr)
{
	int fd = TRY(socket(AF_INET, type | SOCK_CLOEXEC, 0));
	socklen_t len = sizeof(*ret_addr);

	*ret_addr = inet_local(0);
	TRY(bind(fd, (struct sockaddr *)ret_addr, sizeof(*ret_addr)));
	TRY(getsockname(fd, (struct sockaddr *)ret_addr, &len));
	if ((type & 0xf) == SOCK_STREAM)
		TRY(listen(fd, 64));
	return fd;
}

static inline int inet_dial(const struct sockaddr_in *addr)
{
	int fd = TRY(socket(AF_INET, SOCK_STREAM, 0));

	TRY(connect(fd, (const struct sockaddr *)addr, sizeof(*addr)));
	return fd;
}
