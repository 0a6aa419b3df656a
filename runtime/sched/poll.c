/* poll, select, epoll. */
#include <errno.h>

#include "common/mem.h"
#include "sched/core.h"
#include "sched/io.h"
#include "sched/real.h"

#define FDS_MAX 1024

static uint64_t deadline_of(int milliseconds)
{
	if (milliseconds < 0)
		return DH_NEVER;
	return dh_core.now + (uint64_t)milliseconds * 1000000;
}

/* A poll that finds nothing, again and again, is a loop that waits. */
static void empty_handed(uintptr_t pc, int r)
{
	struct dh_task *self = dh_task_of(dh_self);

	dh_io_done();
	if (r != 0)
		return;
	self->thread.inside++;
	dh_spin(self, pc, DH_OP_IO);
	self->thread.inside--;
}

/* -1: a signal; else how many are ready. */
static int wait_poll(struct pollfd *fds, nfds_t n, uint64_t deadline, uintptr_t pc)
{
	int r;

	dh_sched_point(DH_OP_IO, NULL, pc);
	r = dh_real()->poll(fds, n, 0);
	if (r != 0 || deadline <= dh_core.now) {
		empty_handed(pc, r);
		return r;
	}
	if (dh_io_wait(fds, n > FDS_MAX ? FDS_MAX : (uint32_t)n, deadline, pc) == DH_WAKE_SIGNAL) {
		errno = EINTR;
		return -1;
	}
	r = dh_real()->poll(fds, n, 0);
	empty_handed(pc, r);
	return r;
}

DH_EXPORT int poll(struct pollfd *fds, nfds_t n, int milliseconds)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->poll(fds, n, milliseconds);
	return wait_poll(fds, n, deadline_of(milliseconds), DH_CALLER());
}

DH_EXPORT int ppoll(
	struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->ppoll(fds, n, timeout, mask);
	if (mask) {
		DH_OUTSIDE();
		return dh_real()->ppoll(fds, n, timeout, mask);
	}
	return wait_poll(fds, n, timeout ? dh_clock_after(timeout) : DH_NEVER, DH_CALLER());
}

/* -- select: through a pollfd for each bit */

static uint32_t to_fds(int n, const fd_set *r, const fd_set *w, const fd_set *e, struct pollfd *fds)
{
	uint32_t count = 0;

	for (int fd = 0; fd < n && fd < FD_SETSIZE; fd++) {
		short events = 0;

		if (r && FD_ISSET(fd, r))
			events |= POLLIN;
		if (w && FD_ISSET(fd, w))
			events |= POLLOUT;
		if (e && FD_ISSET(fd, e))
			events |= POLLPRI;
		if (events)
			fds[count++] = (struct pollfd){fd, events, 0};
	}
	return count;
}

static int wait_select(int n, fd_set *r, fd_set *w, fd_set *e, uint64_t deadline, uintptr_t pc)
{
	struct pollfd fds[FD_SETSIZE];
	struct timeval none = {0, 0};
	uint32_t count = to_fds(n, r, w, e, fds);
	int result;

	dh_sched_point(DH_OP_IO, NULL, pc);
	if (deadline > dh_core.now && dh_io_wait(fds, count, deadline, pc) == DH_WAKE_SIGNAL) {
		errno = EINTR;
		return -1;
	}
	result = dh_real()->select(n, r, w, e, &none);
	empty_handed(pc, result);
	return result;
}

DH_EXPORT int select(int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e,
	struct timeval *restrict timeout)
{
	uint64_t deadline = DH_NEVER;

	if (!dh_scheduled(dh_self))
		return dh_real()->select(n, r, w, e, timeout);
	if (timeout)
		deadline = dh_core.now + (uint64_t)timeout->tv_sec * 1000000000u +
			   (uint64_t)timeout->tv_usec * 1000u;
	return wait_select(n, r, w, e, deadline, DH_CALLER());
}

DH_EXPORT int pselect(int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e,
	const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pselect(n, r, w, e, timeout, mask);
	if (mask) {
		DH_OUTSIDE();
		return dh_real()->pselect(n, r, w, e, timeout, mask);
	}
	return wait_select(n, r, w, e, timeout ? dh_clock_after(timeout) : DH_NEVER, DH_CALLER());
}

/* -- epoll: the epoll descriptor itself can be polled */

static int wait_epoll(int fd, struct epoll_event *events, int max, int milliseconds, uintptr_t pc)
{
	struct pollfd p = {fd, POLLIN, 0};
	uint64_t deadline = deadline_of(milliseconds);
	int r;

	dh_sched_point(DH_OP_IO, NULL, pc);
	if (deadline > dh_core.now && dh_io_wait(&p, 1, deadline, pc) == DH_WAKE_SIGNAL) {
		errno = EINTR;
		return -1;
	}
	r = dh_real()->epoll_wait(fd, events, max, 0);
	empty_handed(pc, r);
	return r;
}

DH_EXPORT int epoll_wait(int fd, struct epoll_event *events, int max, int milliseconds)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->epoll_wait(fd, events, max, milliseconds);
	return wait_epoll(fd, events, max, milliseconds, DH_CALLER());
}

DH_EXPORT int epoll_pwait(
	int fd, struct epoll_event *events, int max, int milliseconds, const sigset_t *mask)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->epoll_pwait(fd, events, max, milliseconds, mask);
	if (mask) {
		DH_OUTSIDE();
		return dh_real()->epoll_pwait(fd, events, max, milliseconds, mask);
	}
	return wait_epoll(fd, events, max, milliseconds, DH_CALLER());
}
