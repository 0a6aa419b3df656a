/* What the programs about waiting inside the buffer share: a call is led into it only after some
 * stops, so each kind is made a few times before it matters. */
#pragma once
#include "t.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>

#define BUF_WARM 6

/* SIGALRM so many times, each some time after the last one was handled: a handler calls
 * buf_strike_again(), and a slow machine is not kept busy with it for ever. */
static volatile sig_atomic_t buf_strikes;

static inline void buf_set_timer(void)
{
	struct itimerval it = {{0, 0}, {0, 1000}};

	TRY(setitimer(ITIMER_REAL, &it, NULL));
}

static inline void buf_strike(int times)
{
	buf_strikes = times;
	buf_set_timer();
}

static inline void buf_strike_again(void)
{
	if (--buf_strikes > 0)
		buf_set_timer();
}

enum buf_kind { BUF_READ, BUF_RECV, BUF_POLL, BUF_EPOLL, BUF_SELECT, BUF_KINDS };

static const char *const buf_names[BUF_KINDS] = {"read", "recv", "poll", "epoll_wait", "select"};

struct buf {
	int in[2]; /* a socket: what is written to [1] is read from [0] */
	int epoll;
};

static inline void buf_open(struct buf *b)
{
	struct epoll_event e = {.events = EPOLLIN, .data.u64 = 7};

	TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, b->in));
	b->epoll = TRY(epoll_create1(0));
	TRY(epoll_ctl(b->epoll, EPOLL_CTL_ADD, b->in[0], &e));
}

/* Waits for a byte at most ms milliseconds (-1: for ever; read and recv always).  1: it is there
 * (and is taken); 0: time is up; -1: errno. */
static inline int buf_wait(struct buf *b, enum buf_kind kind, int ms)
{
	struct timeval tv = {ms / 1000, ms % 1000 * 1000};
	struct pollfd p = {.fd = b->in[0], .events = POLLIN, .revents = 5};
	struct epoll_event e;
	fd_set set;
	char c;
	int n;

	switch (kind) {
	case BUF_READ:
		return (int)read(b->in[0], &c, 1);
	case BUF_RECV:
		return (int)recv(b->in[0], &c, 1, 0);
	case BUF_POLL:
		n = poll(&p, 1, ms);
		break;
	case BUF_EPOLL:
		n = epoll_wait(b->epoll, &e, 1, ms);
		break;
	default:
		FD_ZERO(&set);
		FD_SET(b->in[0], &set);
		n = select(b->in[0] + 1, &set, NULL, NULL, ms < 0 ? NULL : &tv);
		break;
	}
	if (n > 0)
		CHECK(recv(b->in[0], &c, 1, MSG_DONTWAIT) == 1);
	return n;
}

static inline void buf_put(struct buf *b)
{
	CHECK(write(b->in[1], "x", 1) == 1);
}

static inline void buf_warm(struct buf *b)
{
	for (int i = 0; i < BUF_WARM; i++) {
		for (enum buf_kind k = 0; k < BUF_KINDS; k++) {
			buf_put(b);
			CHECK(buf_wait(b, k, 1000) == 1);
		}
	}
}
