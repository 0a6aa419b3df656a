/* Reading and writing.  Where others want the turn nothing here waits: a call that would is left to
 * the trampoline.  Where the program is alone calls are made as they are. */
#include "buffer.h"

#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/uio.h>

#define MSG_WAITALL  0x100
#define MSG_DONTWAIT 0x40
#define MSG_NOSIGNAL 0x4000
#define PIPE_ATOMIC  4096
/* A socket that waits is written to here only if it takes so little at once. */
#define SEND_SMALL   2048
#define SEND_TRIES   20
#define SEND_WAIT_MS 5
#define IOV_MAX_HERE 32
#define SOCKADDR_MAX 128

/* -EAGAIN is the answer only for a descriptor that does not wait. */
static long unless_waiting(uint64_t fd, long r)
{
	return r == ERR(EAGAIN) && !dh_fd_nonblocking(fd) ? DH_LEAVE : dh_unless_interrupted(r);
}

/* RWF_NOWAIT: not every kind of file has it. */
static long nowait(long nr, uint64_t fd, const void *iov, uint64_t n)
{
	long r = dh_raw(nr, fd, (uint64_t)iov, n, (uint64_t)-1, (uint64_t)-1, RWF_NOWAIT);

	if (r == ERR(EOPNOTSUPP)) {
		dh_fd_set_class(fd, DH_BUFFER_FD_STOPS);
		return DH_LEAVE;
	}
	return unless_waiting(fd, r);
}

/* The call as it is. */
static long waiting(long nr, const struct dh_call *c)
{
	return dh_unless_interrupted(
		dh_wait(nr, c->arg[0], c->arg[1], c->arg[2], c->arg[3], c->arg[4], c->arg[5]));
}

static bool is_file(uint8_t class)
{
	return class == DH_BUFFER_FD_FILE || class == DH_BUFFER_FD_SHARED;
}

/* Whether there is a way to read from it here. */
static bool may_read(uint8_t class)
{
	return class > DH_BUFFER_FD_STOPS && (class < DH_BUFFER_FD_DEVICE || AREA->alone);
}

long dh_read(struct dh_call *c)
{
	uint64_t fd = c->arg[0], n = c->arg[2];
	struct iovec iov = {(void *)c->arg[1], n};
	uint8_t class = dh_fd_class(fd);
	long r;

	if (!may_read(class) || n == 0 || !dh_ring_room(n))
		return DH_LEAVE;
	if (is_file(class))
		r = dh_unless_interrupted(dh_raw3(__NR_read, fd, c->arg[1], n));
	else if (AREA->alone)
		r = waiting(__NR_read, c);
	else if (class == DH_BUFFER_FD_SOCKET)
		r = unless_waiting(fd, dh_raw(__NR_recvfrom, fd, c->arg[1], n, MSG_DONTWAIT, 0, 0));
	else
		r = nowait(__NR_preadv2, fd, &iov, 1);
	if (r > 0)
		dh_ring_out(c, 1, (uint64_t)r);
	return r;
}

/* The bytes that the pieces hold together, or more than any limit. */
static uint64_t total(const struct iovec *iov, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++) {
		if (iov[i].iov_len > DH_BUFFER_OUTPUT_MAX)
			return UINT64_MAX;
		sum += iov[i].iov_len;
	}
	return sum;
}

static uint64_t probe_total(uint64_t iov, uint64_t n)
{
	uint64_t sum;

	if (n > IOV_MAX_HERE)
		return UINT64_MAX;
	AREA->probing = 1;
	sum = total((const struct iovec *)iov, n);
	AREA->probing = 0;
	return sum;
}

static void out_iov(struct dh_call *c, const struct iovec *iov, uint64_t n, uint64_t left)
{
	for (uint64_t i = 0; i < n && left; i++) {
		uint64_t len = iov[i].iov_len < left ? iov[i].iov_len : left;

		dh_ring_out_at(c, (uint64_t)iov[i].iov_base, len);
		left -= len;
	}
}

long dh_readv(struct dh_call *c)
{
	uint64_t fd = c->arg[0], n = c->arg[2];
	struct dh_msg m = {.iov = c->arg[1], .iovlen = n};
	uint8_t class = dh_fd_class(fd);
	long r;

	if (!may_read(class) || !dh_ring_room(probe_total(c->arg[1], n)))
		return DH_LEAVE;
	if (is_file(class))
		r = dh_unless_interrupted(dh_raw3(__NR_readv, fd, c->arg[1], n));
	else if (AREA->alone)
		r = waiting(__NR_readv, c);
	else if (class == DH_BUFFER_FD_SOCKET)
		r = unless_waiting(fd, dh_raw3(__NR_recvmsg, fd, &m, MSG_DONTWAIT));
	else
		r = nowait(__NR_preadv2, fd, (const void *)c->arg[1], n);
	if (r > 0)
		out_iov(c, (const struct iovec *)c->arg[1], n, (uint64_t)r);
	return r;
}

/* A socket that waits has taken a part.  The rest goes out as room appears; should none appear
 * for a while, the call ends with the part, as one that a signal interrupts does. */
static long send_rest(uint64_t fd, const struct iovec *iov, uint64_t n, uint64_t done)
{
	struct pollfd p = {.fd = (int)fd, .events = POLLOUT};
	uint64_t sent = done, skip = done;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = skip < iov[i].iov_len ? skip : iov[i].iov_len;

		skip -= at;
		for (int tries = 0; at < iov[i].iov_len && tries < SEND_TRIES; tries++) {
			long r = dh_raw(__NR_sendto, fd, (uint64_t)iov[i].iov_base + at,
				iov[i].iov_len - at, MSG_DONTWAIT | MSG_NOSIGNAL, 0, 0);

			if (r > 0) {
				at += (uint64_t)r;
				sent += (uint64_t)r;
			} else if (r != ERR(EAGAIN) && r != ERR(EINTR)) {
				return (long)sent;
			} else {
				dh_raw3(__NR_poll, &p, 1, SEND_WAIT_MS);
			}
		}
		if (at < iov[i].iov_len)
			break;
	}
	return (long)sent;
}

static bool waits(uint64_t fd, uint64_t flags)
{
	return !(flags & MSG_DONTWAIT) && !dh_fd_nonblocking(fd);
}

static bool may_send(uint64_t fd, uint64_t n, uint64_t flags)
{
	return dh_fd_class(fd) == DH_BUFFER_FD_SOCKET && (n <= SEND_SMALL || !waits(fd, flags));
}

/* What raises a signal is made again by a call that stops. */
static long unless_broken(long r)
{
	return r == ERR(EPIPE) ? DH_LEAVE : dh_unless_interrupted(r);
}

/* Tries to send `want` bytes, without waiting unless that is allowed. */
static long send_message(uint64_t fd, const struct dh_msg *m, uint64_t flags, uint64_t want)
{
	long r;

	if (want == UINT64_MAX || !dh_ring_room(0))
		return DH_LEAVE;
	if (AREA->alone && dh_fd_class(fd) == DH_BUFFER_FD_SOCKET)
		return unless_broken(
			dh_wait(__NR_sendmsg, fd, (uint64_t)m, flags | MSG_NOSIGNAL, 0, 0, 0));
	if (!may_send(fd, want, flags))
		return DH_LEAVE;
	r = dh_raw3(__NR_sendmsg, fd, m, flags | MSG_DONTWAIT | MSG_NOSIGNAL);
	if (r == ERR(EAGAIN) && waits(fd, flags))
		return DH_LEAVE;
	if (r >= 0 && (uint64_t)r < want && waits(fd, flags))
		return send_rest(fd, (const struct iovec *)m->iov, m->iovlen, (uint64_t)r);
	return unless_broken(r);
}

static long send_bytes(const uint64_t *arg, uint64_t flags, uint64_t to, uint64_t tolen)
{
	struct iovec iov = {(void *)arg[1], arg[2]};
	struct dh_msg m = {
		.name = to, .namelen = (uint32_t)tolen, .iov = (uint64_t)&iov, .iovlen = 1};

	return send_message(arg[0], &m, flags, arg[2]);
}

static long write_stream(struct dh_call *c, const void *iov, uint64_t n, uint64_t bytes)
{
	if (bytes == 0 || bytes == UINT64_MAX || !dh_ring_room(0))
		return DH_LEAVE;
	if (AREA->alone)
		return waiting(c->nr, c);
	/* More than that may be taken in part. */
	if (bytes > PIPE_ATOMIC || dh_fd_class(c->arg[0]) == DH_BUFFER_FD_DEVICE)
		return DH_LEAVE;
	return nowait(__NR_pwritev2, c->arg[0], iov, n);
}

/* What is written to the recorder's own output is shown again by the replay, in the order of the
 * log: which is known when nobody else writes there. */
static long write_shown(struct dh_call *c, const struct iovec *iov, uint64_t n, uint64_t bytes)
{
	uint8_t class = dh_fd_class(c->arg[0]);
	uint64_t left;
	long r;

	if (AREA->alone != DH_BUFFER_SOLE || bytes == 0 || bytes == UINT64_MAX || !dh_ring_room(0))
		return DH_LEAVE;
	r = waiting(c->nr, c);
	left = r > 0 ? (uint64_t)r : 0;
	for (uint64_t i = 0; i < n && left; i++) {
		uint64_t len = iov[i].iov_len < left ? iov[i].iov_len : left;

		if (len)
			dh_ring_shown(c, class, (uint64_t)iov[i].iov_base, len);
		left -= len;
	}
	return r;
}

long dh_write(struct dh_call *c)
{
	struct iovec iov = {(void *)c->arg[1], c->arg[2]};

	switch (dh_fd_class(c->arg[0])) {
	case DH_BUFFER_FD_OUT:
	case DH_BUFFER_FD_ERR:
		return write_shown(c, &iov, 1, c->arg[2]);
	case DH_BUFFER_FD_SOCKET:
		return send_bytes(c->arg, 0, 0, 0);
	case DH_BUFFER_FD_STREAM:
	case DH_BUFFER_FD_DEVICE:
		return write_stream(c, &iov, 1, c->arg[2]);
	case DH_BUFFER_FD_FILE:
		if (!dh_ring_room(0))
			return DH_LEAVE;
		return dh_unless_interrupted(dh_raw3(__NR_write, c->arg[0], c->arg[1], c->arg[2]));
	default:
		return DH_LEAVE;
	}
}

long dh_writev(struct dh_call *c)
{
	struct dh_msg m = {.iov = c->arg[1], .iovlen = c->arg[2]};

	switch (dh_fd_class(c->arg[0])) {
	case DH_BUFFER_FD_OUT:
	case DH_BUFFER_FD_ERR:
		return write_shown(
			c, (const struct iovec *)m.iov, m.iovlen, probe_total(m.iov, m.iovlen));
	case DH_BUFFER_FD_SOCKET:
		return send_message(c->arg[0], &m, 0, probe_total(m.iov, m.iovlen));
	case DH_BUFFER_FD_STREAM:
	case DH_BUFFER_FD_DEVICE:
		return write_stream(c, (const void *)m.iov, m.iovlen, probe_total(m.iov, m.iovlen));
	case DH_BUFFER_FD_FILE:
		if (!dh_ring_room(0))
			return DH_LEAVE;
		return dh_unless_interrupted(dh_raw3(__NR_writev, c->arg[0], c->arg[1], c->arg[2]));
	default:
		return DH_LEAVE;
	}
}

long dh_sendto(struct dh_call *c)
{
	return send_bytes(c->arg, c->arg[3], c->arg[4], c->arg[5]);
}

static struct dh_msg probe_message(uint64_t at)
{
	struct dh_msg m;

	AREA->probing = 1;
	m = *(const struct dh_msg *)at;
	AREA->probing = 0;
	return m;
}

long dh_sendmsg(struct dh_call *c)
{
	struct dh_msg m;

	if (dh_fd_class(c->arg[0]) != DH_BUFFER_FD_SOCKET)
		return DH_LEAVE;
	m = probe_message(c->arg[1]);
	return send_message(c->arg[0], &m, c->arg[2], probe_total(m.iov, m.iovlen));
}

/* Whether receiving with these flags is possible here. */
static bool may_receive(uint64_t fd, uint64_t flags)
{
	return dh_fd_class(fd) == DH_BUFFER_FD_SOCKET && (AREA->alone || !(flags & MSG_WAITALL));
}

/* recvfrom or recvmsg, whose flags are argument number `at`. */
static long receive(const struct dh_call *c, int at)
{
	uint64_t a[6];
	long r;

	if (AREA->alone)
		return waiting(c->nr, c);
	for (int i = 0; i < 6; i++)
		a[i] = c->arg[i];
	a[at] |= MSG_DONTWAIT;
	r = dh_raw(c->nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	return c->arg[at] & MSG_DONTWAIT ? dh_unless_interrupted(r) : unless_waiting(a[0], r);
}

long dh_recvfrom(struct dh_call *c)
{
	uint64_t n = c->arg[2], len = 0;
	long r;

	if (!may_receive(c->arg[0], c->arg[3]) || n == 0 || !dh_ring_room(n + SOCKADDR_MAX))
		return DH_LEAVE;
	if (c->arg[4]) {
		AREA->probing = 1;
		len = *(const uint32_t *)c->arg[5];
		AREA->probing = 0;
	}
	r = receive(c, 3);
	if (r < 0)
		return r;
	/* With MSG_TRUNC the result may be more than there is room for. */
	dh_ring_out(c, 1, (uint64_t)r < n ? (uint64_t)r : n);
	if (c->arg[4]) {
		dh_ring_out(c, 4, len < SOCKADDR_MAX ? len : SOCKADDR_MAX);
		dh_ring_out(c, 5, sizeof(uint32_t));
	}
	return r;
}

long dh_recvmsg(struct dh_call *c)
{
	const struct iovec *iov;
	uint64_t bytes;
	struct dh_msg m;
	long r;

	if (!may_receive(c->arg[0], c->arg[2]))
		return DH_LEAVE;
	m = probe_message(c->arg[1]);
	iov = (const struct iovec *)m.iov;
	bytes = probe_total(m.iov, m.iovlen);
	if (bytes > DH_BUFFER_OUTPUT_MAX || m.controllen > DH_BUFFER_OUTPUT_MAX ||
		!dh_ring_room(bytes + m.controllen + sizeof(m) + SOCKADDR_MAX))
		return DH_LEAVE;
	r = receive(c, 2);
	if (r < 0)
		return r;
	out_iov(c, iov, m.iovlen, (uint64_t)r < bytes ? (uint64_t)r : bytes);
	dh_ring_out_at(c, m.control, m.controllen);
	dh_ring_out_at(c, m.name, m.namelen < SOCKADDR_MAX ? m.namelen : SOCKADDR_MAX);
	dh_ring_out(c, 1, sizeof(m));
	return r;
}

/* Only where waiting is allowed: whether somebody has connected is not known otherwise. */
long dh_accept(struct dh_call *c)
{
	uint64_t len = 0;
	long r;

	if (!AREA->alone || dh_fd_class(c->arg[0]) != DH_BUFFER_FD_SOCKET ||
		!dh_ring_room(SOCKADDR_MAX))
		return DH_LEAVE;
	if (c->arg[1]) {
		AREA->probing = 1;
		len = *(const uint32_t *)c->arg[2];
		AREA->probing = 0;
	}
	r = waiting(c->nr, c);
	if (r < 0)
		return r;
	dh_fd_set_class((uint64_t)r, DH_BUFFER_FD_SOCKET);
	if (c->arg[1]) {
		dh_ring_out(c, 1, len < SOCKADDR_MAX ? len : SOCKADDR_MAX);
		dh_ring_out(c, 2, sizeof(uint32_t));
	}
	return r;
}
