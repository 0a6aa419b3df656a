/* System calls that wait for descriptors.  A thread whose descriptor is not ready is blocked like
 * any other, and the call itself is made when it will not block: what threads of the program send
 * each other through pipes and sockets stays repeatable. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "common/syscall.h"
#include "sched/core.h"
#include "sched/detect.h"
#include "sched/io.h"
#include "sched/real.h"

/* More than this may block although the descriptor says that it can be written. */
#define WRITE_ATOMIC 4096

static bool is_ready(struct pollfd *fds, uint32_t n)
{
	struct timespec none = {0, 0};

	return rt_syscall6(SYS_ppoll, fds, n, &none, 0, 0, 0) != 0;
}

static bool blocks(int fd)
{
	long flags = rt_syscall2(SYS_fcntl, fd, F_GETFL);

	return flags >= 0 && !(flags & O_NONBLOCK);
}

enum dh_wake dh_io_wait(struct pollfd *fds, uint32_t n, uint64_t deadline, uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_next next = {
		.op = DH_OP_IO, .pc = pc, .address = n ? (uint64_t)fds[0].fd + 1 : 0};
	enum dh_wake why = DH_WAKE_EVENT;
	int keep = errno;

	self->thread.inside++;
	dh_cancel_point(self);
	if (!is_ready(fds, n)) {
		self->fds = fds;
		self->nfds = n;
		why = dh_block(self, &next, deadline, DH_BLOCK_CANCEL | DH_BLOCK_SIGNAL);
		self->nfds = 0;
		dh_cancel_point(self);
	}
	self->thread.inside--;
	errno = keep;
	return why;
}

bool dh_io_wait_one(int fd, short events, uintptr_t pc)
{
	struct pollfd p = {fd, events, 0};
	enum dh_wake why = DH_WAKE_EVENT;

	dh_sched_point(DH_OP_IO, NULL, pc);
	if (is_ready(&p, 1) || !blocks(fd))
		return true;
	do
		why = dh_io_wait(&p, 1, DH_NEVER, pc);
	while (why == DH_WAKE_SIGNAL && dh_task_of(dh_self)->restart);
	if (why != DH_WAKE_SIGNAL)
		return true;
	errno = EINTR;
	return false;
}

void dh_io_done(void)
{
	dh_core.io_dirty = true;
}

#define CHANNELS 1024

/* For each descriptor the lower one of its pair, plus 1; 0: it stands for itself. */
static uint16_t channels[CHANNELS];

/* Descriptors have no address: small numbers, where no memory is, stand for one. */
static struct dh_object *channel_of(int fd)
{
	uintptr_t n = fd >= 0 && fd < CHANNELS && channels[fd] ? channels[fd] : (uintptr_t)fd + 1;

	return dh_object_get((const void *)(n * 16), DH_OBJECT_CHANNEL);
}

void dh_io_send(int fd)
{
	if (dh_ctl->ask.detect && fd >= 0 && fd < CHANNELS)
		dh_detect_send(dh_self, channel_of(fd));
}

void dh_io_receive(int fd)
{
	if (dh_ctl->ask.detect && fd >= 0 && fd < CHANNELS)
		dh_detect_receive(dh_self, channel_of(fd));
}

void dh_io_pair(const int fds[2])
{
	int lower = fds[0] < fds[1] ? fds[0] : fds[1];

	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0 && fds[i] < CHANNELS)
			channels[fds[i]] = (uint16_t)(lower + 1);
}

void dh_io_gone(int fd)
{
	if (fd >= 0 && fd < CHANNELS)
		channels[fd] = 0;
}

/* Before the call: its buffer may be what a suspect is about. */
static __attribute__((noinline)) void arrive(
	uintptr_t buffer, size_t size, unsigned access, uintptr_t pc)
{
	if (dh_unlikely(dh_watched(pc)) && size)
		dh_sched_at_statement(pc, (void *)buffer, size, access);
}

/* The bytes that a call brought are a write of the program's. */
static void brought(int fd, const void *buffer, ssize_t n, uintptr_t pc)
{
	dh_io_done();
	if (n >= 0)
		dh_io_receive(fd);
	if (n > 0)
		dh_detect_memory(dh_self, buffer, (size_t)n, true, pc);
}

static void brought_vector(int fd, const struct iovec *v, int count, ssize_t n, uintptr_t pc)
{
	for (int i = 0; i < count && n > 0; i++) {
		ssize_t part = n < (ssize_t)v[i].iov_len ? n : (ssize_t)v[i].iov_len;

		brought(fd, v[i].iov_base, part, pc);
		n -= part;
	}
}

DH_EXPORT ssize_t read(int fd, void *buffer, size_t size)
{
	uintptr_t pc = DH_CALLER();
	ssize_t n;

	if (!dh_scheduled(dh_self))
		return dh_real()->read(fd, buffer, size);
	arrive((uintptr_t)buffer, size, DH_SCHED_WRITE, pc);
	if (!dh_io_wait_one(fd, POLLIN, pc))
		return -1;
	n = dh_real()->read(fd, buffer, size);
	brought(fd, buffer, n, pc);
	return n;
}

DH_EXPORT ssize_t readv(int fd, const struct iovec *v, int count)
{
	uintptr_t pc = DH_CALLER();
	ssize_t n;

	if (!dh_scheduled(dh_self))
		return dh_real()->readv(fd, v, count);
	if (!dh_io_wait_one(fd, POLLIN, pc))
		return -1;
	n = dh_real()->readv(fd, v, count);
	brought_vector(fd, v, count, n, pc);
	return n;
}

DH_EXPORT ssize_t recv(int fd, void *buffer, size_t size, int flags)
{
	uintptr_t pc = DH_CALLER();
	ssize_t n;

	if (!dh_scheduled(dh_self))
		return dh_real()->recv(fd, buffer, size, flags);
	arrive((uintptr_t)buffer, size, DH_SCHED_WRITE, pc);
	if (!(flags & MSG_DONTWAIT) && !dh_io_wait_one(fd, POLLIN, pc))
		return -1;
	n = dh_real()->recv(fd, buffer, size, flags);
	brought(fd, buffer, n, pc);
	return n;
}

DH_EXPORT ssize_t recvfrom(int fd, void *restrict buffer, size_t size, int flags,
	struct sockaddr *restrict from, socklen_t *restrict length)
{
	uintptr_t pc = DH_CALLER();
	ssize_t n;

	if (!dh_scheduled(dh_self))
		return dh_real()->recvfrom(fd, buffer, size, flags, from, length);
	arrive((uintptr_t)buffer, size, DH_SCHED_WRITE, pc);
	if (!(flags & MSG_DONTWAIT) && !dh_io_wait_one(fd, POLLIN, pc))
		return -1;
	n = dh_real()->recvfrom(fd, buffer, size, flags, from, length);
	brought(fd, buffer, n, pc);
	return n;
}

DH_EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	uintptr_t pc = DH_CALLER();
	ssize_t n;

	if (!dh_scheduled(dh_self))
		return dh_real()->recvmsg(fd, message, flags);
	if (!(flags & MSG_DONTWAIT) && !dh_io_wait_one(fd, POLLIN, pc))
		return -1;
	n = dh_real()->recvmsg(fd, message, flags);
	brought_vector(fd, message->msg_iov, (int)message->msg_iovlen, n, pc);
	return n;
}

/* May a write of this size block half way?  Files never do. */
static bool may_stall(int fd, size_t size)
{
	struct stat st;

	if (size <= WRITE_ATOMIC || fstat(fd, &st) != 0)
		return false;
	return (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) && blocks(fd);
}

static size_t vector_size(const struct iovec *v, size_t count)
{
	size_t size = 0;

	for (size_t i = 0; i < count; i++)
		size += v[i].iov_len;
	return size;
}

/* The bytes that a call takes along are read. */
static void taken(const void *buffer, size_t size, uintptr_t pc)
{
	dh_detect_memory(dh_self, buffer, size, false, pc);
}

static void taken_vector(const struct iovec *v, size_t count, uintptr_t pc)
{
	for (size_t i = 0; i < count; i++)
		taken(v[i].iov_base, v[i].iov_len, pc);
}

DH_EXPORT ssize_t write(int fd, const void *buffer, size_t size)
{
	uintptr_t pc = DH_CALLER();
	ssize_t n;

	if (!dh_scheduled(dh_self))
		return dh_real()->write(fd, buffer, size);
	arrive((uintptr_t)buffer, size, 0, pc);
	if (!dh_io_wait_one(fd, POLLOUT, pc))
		return -1;
	taken(buffer, size, pc);
	dh_io_send(fd);
	if (may_stall(fd, size)) {
		DH_OUTSIDE();
		return dh_real()->write(fd, buffer, size);
	}
	n = dh_real()->write(fd, buffer, size);
	dh_io_done();
	return n;
}

DH_EXPORT ssize_t writev(int fd, const struct iovec *v, int count)
{
	uintptr_t pc = DH_CALLER();
	ssize_t n;

	if (!dh_scheduled(dh_self))
		return dh_real()->writev(fd, v, count);
	if (!dh_io_wait_one(fd, POLLOUT, pc))
		return -1;
	taken_vector(v, count > 0 ? (size_t)count : 0, pc);
	dh_io_send(fd);
	if (may_stall(fd, vector_size(v, count > 0 ? (size_t)count : 0))) {
		DH_OUTSIDE();
		return dh_real()->writev(fd, v, count);
	}
	n = dh_real()->writev(fd, v, count);
	dh_io_done();
	return n;
}

DH_EXPORT ssize_t send(int fd, const void *buffer, size_t size, int flags)
{
	uintptr_t pc = DH_CALLER();
	ssize_t n;

	if (!dh_scheduled(dh_self))
		return dh_real()->send(fd, buffer, size, flags);
	arrive((uintptr_t)buffer, size, 0, pc);
	if (!(flags & MSG_DONTWAIT) && !dh_io_wait_one(fd, POLLOUT, pc))
		return -1;
	taken(buffer, size, pc);
	dh_io_send(fd);
	if (!(flags & MSG_DONTWAIT) && may_stall(fd, size)) {
		DH_OUTSIDE();
		return dh_real()->send(fd, buffer, size, flags);
	}
	n = dh_real()->send(fd, buffer, size, flags);
	dh_io_done();
	return n;
}

DH_EXPORT ssize_t sendto(int fd, const void *buffer, size_t size, int flags,
	const struct sockaddr *to, socklen_t length)
{
	uintptr_t pc = DH_CALLER();
	ssize_t n;

	if (!dh_scheduled(dh_self))
		return dh_real()->sendto(fd, buffer, size, flags, to, length);
	arrive((uintptr_t)buffer, size, 0, pc);
	if (!(flags & MSG_DONTWAIT) && !dh_io_wait_one(fd, POLLOUT, pc))
		return -1;
	taken(buffer, size, pc);
	dh_io_send(fd);
	if (!(flags & MSG_DONTWAIT) && may_stall(fd, size)) {
		DH_OUTSIDE();
		return dh_real()->sendto(fd, buffer, size, flags, to, length);
	}
	n = dh_real()->sendto(fd, buffer, size, flags, to, length);
	dh_io_done();
	return n;
}

DH_EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	uintptr_t pc = DH_CALLER();
	ssize_t n;

	if (!dh_scheduled(dh_self))
		return dh_real()->sendmsg(fd, message, flags);
	if (!(flags & MSG_DONTWAIT) && !dh_io_wait_one(fd, POLLOUT, pc))
		return -1;
	taken_vector(message->msg_iov, message->msg_iovlen, pc);
	dh_io_send(fd);
	if (!(flags & MSG_DONTWAIT) &&
		may_stall(fd, vector_size(message->msg_iov, message->msg_iovlen))) {
		DH_OUTSIDE();
		return dh_real()->sendmsg(fd, message, flags);
	}
	n = dh_real()->sendmsg(fd, message, flags);
	dh_io_done();
	return n;
}

/* -- what changes descriptors of others */

DH_EXPORT int close(int fd)
{
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->close(fd);
	dh_sched_point(DH_OP_IO, NULL, DH_CALLER());
	dh_io_send(fd);
	dh_io_gone(fd);
	dh_timer_closed(fd);
	r = dh_real()->close(fd);
	dh_io_done();
	return r;
}

DH_EXPORT int shutdown(int fd, int how)
{
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->shutdown(fd, how);
	dh_sched_point(DH_OP_IO, NULL, DH_CALLER());
	r = dh_real()->shutdown(fd, how);
	dh_io_done();
	return r;
}

/* -- connections */

DH_EXPORT int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict length)
{
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->accept(fd, from, length);
	if (!dh_io_wait_one(fd, POLLIN, DH_CALLER()))
		return -1;
	r = dh_real()->accept(fd, from, length);
	dh_io_done();
	return r;
}

DH_EXPORT int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict length, int flags)
{
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->accept4(fd, from, length, flags);
	if (!dh_io_wait_one(fd, POLLIN, DH_CALLER()))
		return -1;
	r = dh_real()->accept4(fd, from, length, flags);
	dh_io_done();
	return r;
}

/* Behind a connect() that was made not to block. */
static int finish_connect(int fd, uintptr_t pc)
{
	struct pollfd p = {fd, POLLOUT, 0};
	int error = 0;
	socklen_t size = sizeof(error);

	while (dh_io_wait(&p, 1, DH_NEVER, pc) == DH_WAKE_SIGNAL)
		;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
		return -1;
	if (error == 0)
		return 0;
	errno = error;
	return -1;
}

DH_EXPORT int connect(int fd, const struct sockaddr *to, socklen_t length)
{
	uintptr_t pc = DH_CALLER();
	long flags;
	int r, keep;

	if (!dh_scheduled(dh_self))
		return dh_real()->connect(fd, to, length);
	dh_sched_point(DH_OP_IO, NULL, pc);
	flags = rt_syscall2(SYS_fcntl, fd, F_GETFL);
	if (flags < 0 || flags & O_NONBLOCK)
		return dh_real()->connect(fd, to, length);
	rt_syscall3(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
	r = dh_real()->connect(fd, to, length);
	keep = errno;
	rt_syscall3(SYS_fcntl, fd, F_SETFL, flags);
	dh_io_done();
	errno = keep;
	return r != 0 && errno == EINPROGRESS ? finish_connect(fd, pc) : r;
}
