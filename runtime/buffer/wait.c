/* Waiting for events: what has happened already is reported, waiting itself stops. */
#include "buffer.h"

#include <asm/unistd.h>
#include <linux/futex.h>
#include <linux/poll.h>

#define FDS_MAX    1024
#define EVENTS_MAX 1024
#define EVENT_SIZE 12 /* packed */

/* Polls a copy, in the free part of the ring: a call that then stops must find the program's own
 * as it was. */
long dh_poll(struct dh_call *c)
{
	struct pollfd *own = (struct pollfd *)c->arg[0];
	struct pollfd *copy = (struct pollfd *)(RING + DH_BUFFER_RING_SIZE) - FDS_MAX;
	uint64_t n = (uint32_t)c->arg[1];
	long r;

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
	int most = (int)c->arg[2];
	long r;

	if (!dh_ring_room(EVENTS_MAX * EVENT_SIZE))
		return DH_LEAVE;
	/* The kernel may report fewer than are ready, whatever the limit is. */
	r = dh_raw4(
		__NR_epoll_wait, c->arg[0], c->arg[1], most > EVENTS_MAX ? EVENTS_MAX : most, 0);
	if (r == 0 && (int)c->arg[3] != 0)
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
