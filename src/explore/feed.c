/* What comes from outside is what it was, as long as an execution follows the recording: clocks and
 * random bytes, since programs make names from them.  Later the clocks go on from there.
 *
 * The kernel goes by its own clocks, when it gives files their times and when it waits for a
 * moment. So a process that looks at times of files which are changed meanwhile, or that waits for
 * moments, keeps the real ones: make would find files in the future. */
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/alloc.h"
#include "explore/enforcer.h"

#define SECOND 1000000000ll

static bool looks_at_times(const struct dh_ev_call *c)
{
	switch (c->nr) {
	case SYS_stat:
	case SYS_lstat:
	case SYS_fstat:
	case SYS_newfstatat:
	case SYS_statx:
		return true;
	default:
		return false;
	}
}

/* A moment, not a length of time. */
static bool waits_for_moment(const struct dh_ev_call *c)
{
	switch (c->nr) {
	case SYS_clock_nanosleep:
	case SYS_timerfd_settime:
	case SYS_timer_settime:
		return c->arg[1] & TIMER_ABSTIME;
	case SYS_futex:
		return c->arg[3] && ((int)c->arg[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
	default:
		return false;
	}
}

bool *dh_feed_find_clocks(const struct dh_history *h)
{
	DH_FREE bool *changed = dh_zalloc(h->n_objects + 1);
	bool *own = dh_zalloc(h->n_processes + 1);

	for (uint32_t i = 0; i < h->n_accesses; i++)
		changed[h->accesses[i].object] |= h->accesses[i].op == DH_HIST_STORE;
	for (uint32_t i = 0; i < h->n_calls; i++) {
		const struct dh_hist_call *c = &h->calls[i];

		own[h->tasks[c->task].process] |= waits_for_moment(c->ev);
		for (uint32_t k = 0; looks_at_times(c->ev) && k < c->n_accesses; k++)
			own[h->tasks[c->task].process] |=
				changed[h->accesses[c->first_access + k].object];
	}
	return own;
}

bool dh_feed_has_clock(uint64_t id)
{
	return id == CLOCK_REALTIME || id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW ||
	       id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE || id == CLOCK_BOOTTIME;
}

static bool tells_the_time(const struct dh_sys_call *c)
{
	return c->nr == SYS_time || c->nr == SYS_gettimeofday ||
	       (c->nr == SYS_clock_gettime && dh_feed_has_clock(c->arg[0]));
}

static clockid_t clock_of(const struct dh_sys_call *c)
{
	return c->nr == SYS_clock_gettime ? (clockid_t)c->arg[0] : CLOCK_REALTIME;
}

static int64_t now(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* In nanoseconds. */
static int64_t recorded_time(const struct dh_hist_given *g, int64_t nr)
{
	int64_t at[2] = {g->result, 0};

	if (nr == SYS_time)
		return at[0] * SECOND;
	memcpy(at, g->bytes, sizeof(at));
	return at[0] * SECOND + (nr == SYS_gettimeofday ? at[1] * 1000 : at[1]);
}

static bool is_whole(const struct dh_hist_given *g, int64_t nr)
{
	return nr == SYS_time || g->n >= 2 * sizeof(int64_t);
}

static int64_t put_time(int64_t time, const struct dh_sys_call *c, feed_write *write)
{
	int64_t at[2] = {time / SECOND, time % SECOND};

	switch (c->nr) {
	case SYS_time:
		if (c->arg[0])
			write(c->cookie, c->arg[0], at, sizeof(at[0]));
		return at[0];
	case SYS_gettimeofday:
		at[1] /= 1000;
		if (c->arg[0])
			write(c->cookie, c->arg[0], at, sizeof(at));
		return 0;
	default:
		write(c->cookie, c->arg[1], at, sizeof(at));
		return 0;
	}
}

static int64_t feed_time(struct dh_enforcer *e, const struct dh_hist_given *given,
	const struct dh_sys_call *c, feed_write *write)
{
	clockid_t id = clock_of(c);
	struct fed_clock *clock = &e->clocks[id];
	int64_t time;

	if (given && is_whole(given, c->nr)) {
		time = recorded_time(given, c->nr);
		clock->shift = time - now(id);
		clock->shifted = true;
	} else if (clock->shifted) {
		time = DH_MAX(now(id) + clock->shift, clock->last);
	} else {
		return c->result;
	}
	clock->last = DH_MAX(clock->last, time);
	return put_time(time, c, write);
}

int64_t dh_enforcer_feed(void *cookie, const struct dh_gate_call *c, feed_write *write)
{
	struct dh_enforcer *e = cookie;
	const struct live *t = dh_map_getp(&e->tasks, c->task);
	const struct dh_hist_given *given = NULL;

	if (!t || !e->opt.branch || c->call.result < 0)
		return c->call.result;
	if (t->call != DH_NO_CALL && (!e->live || e->keeps) &&
		(c->call.nr != SYS_clock_gettime ||
			e->opt.history->calls[t->call].ev->arg[0] == c->call.arg[0]))
		given = e->opt.history->calls[t->call].given;
	if (tells_the_time(&c->call))
		return t->own_clock ? c->call.result : feed_time(e, given, &c->call, write);
	if (given && !given->time && given->result == c->call.result)
		write(c->call.cookie, c->call.arg[c->call.nr == SYS_read ? 1 : 0], given->bytes,
			given->n);
	return c->call.result;
}

bool dh_enforcer_own_clock(void *cookie, uint32_t task)
{
	const struct dh_enforcer *e = cookie;
	const struct live *t = dh_map_getp(&e->tasks, task);

	return t && t->own_clock;
}
