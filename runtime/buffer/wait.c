/* Waiting for events.  Where others want the turn only what has happened already is reported, and
 * waiting itself stops. */
#include "buffer.h"

#include <asm/unistd.h>
#include <linux/futex.h>
#include <linux/poll.h>

#define FDS_MAX    1024
#define EVENTS_MAX 1024
#define EVENT_SIZE 12 /* packed */
#define TIME_SIZE  16

static long waiting(const struct dh_call *c)
{
	return dh_unless_interrupted(dh_wait(
		(long)c->nr, c->arg[0], c->arg[1], c->arg[2], c->arg[3], c->arg[4], c->arg[5]));
}

/* poll or ppoll; the latter stores the time that is left at argument 2. */
static long poll_waiting(struct dh_call *c, uint64_t n, bool time)
{
	long r;

	if (n > FDS_MAX || !dh_ring_room(n * sizeof(struct pollfd) + TIME_SIZE))
		return DH_LEAVE;
	r = waiting(c);
	if (r < 0)
		return r == DH_LEAVE || !time ? r : DH_LEAVE;
	dh_ring_out(c, 0, n * sizeof(struct pollfd));
	if (time)
		dh_ring_out(c, 2, TIME_SIZE);
	return r;
}

/* With a mask it may deliver a signal that is blocked otherwise. */
long dh_ppoll(struct dh_call *c)
{
	return AREA->alone && !c->arg[3] ? poll_waiting(c, (uint32_t)c->arg[1], true) : DH_LEAVE;
}

/* An error changes nothing that the same call would not change again, with a stop. */
long dh_select(struct dh_call *c)
{
	uint64_t n = (uint32_t)c->arg[0], bytes = (n + 63) / 64 * 8;
	long r;

	if (!AREA->alone || n > FDS_MAX || !dh_ring_room(3 * bytes + TIME_SIZE))
		return DH_LEAVE;
	r = waiting(c);
	if (r < 0)
		return DH_LEAVE;
	for (unsigned i = 1; i <= 3; i++)
		dh_ring_out(c, i, bytes);
	dh_ring_out(c, 4, TIME_SIZE);
	return r;
}

/* The last argument points to a mask and its size. */
long dh_pselect(struct dh_call *c)
{
	uint64_t mask = 0;

	if (c->arg[5]) {
		AREA->probing = 1;
		mask = *(const uint64_t *)c->arg[5];
		AREA->probing = 0;
	}
	return mask ? DH_LEAVE : dh_select(c);
}

/* Polls a copy, in the free part of the ring: a call that then stops must find the program's own
 * as it was. */
long dh_poll(struct dh_call *c)
{
	struct pollfd *own = (struct pollfd *)c->arg[0];
	struct pollfd *copy = (struct pollfd *)(RING + DH_BUFFER_RING_SIZE) - FDS_MAX;
	uint64_t n = (uint32_t)c->arg[1];
	long r;

	if (AREA->alone)
		return poll_waiting(c, n, false);
	if (n > FDS_MAX || !dh_ring_room(FDS_MAX * sizeof(*copy) + n * sizeof(*copy)))
		return DH_LEAVE;
	AREA->probing = 1;
	for (uint64_t i = 0; i < n; i++)
		copy[i] = own[i];
	AREA->probing = 0;
	r = dh_raw3(__NR_poll, copy, n, 0);
	if (r == 0 && (int)c->arg[2] != 0)
		return DH_LEAVE;
	if (r < 0)
		return dh_unless_interrupted(r);
	for (uint64_t i = 0; i < n; i++)
		own[i].revents = copy[i].revents;
	dh_ring_out(c, 0, n * sizeof(*own));
	return r;
}

long dh_epoll_wait(struct dh_call *c)
{
	bool alone = AREA->alone;
	int most = (int)c->arg[2];
	long r;

	if (!dh_ring_room(EVENTS_MAX * EVENT_SIZE))
		return DH_LEAVE;
	/* The kernel may report fewer than are ready, whatever the limit is. */
	if (most > EVENTS_MAX)
		most = EVENTS_MAX;
	if (alone)
		r = dh_wait(__NR_epoll_wait, c->arg[0], c->arg[1], (uint64_t)most, c->arg[3], 0, 0);
	else
		r = dh_raw4(__NR_epoll_wait, c->arg[0], c->arg[1], most, 0);
	if (r == 0 && (int)c->arg[3] != 0 && !alone)
		return DH_LEAVE;
	if (r > 0)
		dh_ring_out(c, 1, (uint64_t)r * EVENT_SIZE);
	return dh_unless_interrupted(r);
}

/* With a mask it may deliver a signal that is blocked otherwise. */
long dh_epoll_pwait(struct dh_call *c)
{
	return c->arg[4] ? DH_LEAVE : dh_epoll_wait(c);
}

long dh_futex(struct dh_call *c)
{
	switch ((uint32_t)c->arg[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		break;
	default:
		return DH_LEAVE;
	}
	if (!dh_ring_room(0))
		return DH_LEAVE;
	return dh_raw(__NR_futex, c->arg[0], c->arg[1], c->arg[2], c->arg[3], c->arg[4], c->arg[5]);
}
