/* Which tasks can run, and what to wait for when none can. */
#include "sched/core.h"

#include <poll.h>
#include <time.h>

#include "common/mem.h"
#include "common/syscall.h"

/* How often descriptors are looked at while others run, in points: what a thread of the program
 * wrote is seen at once (io_dirty), this is for what comes from elsewhere. */
#define IO_EVERY 64
/* Points between two looks at those that are postponed for long. */
#define PATIENCE_EVERY 256
/* One in so many points wakes a waiter with no reason, when asked to. */
#define SPURIOUS_ONE_IN 16
#define EARLY_ONE_IN    8
/* So many points in loops that only wait make the next deadline pass. */
#define IDLE_POINTS 64
/* Real time that deadlines wait for something outside, at most: milliseconds. */
#define IDLE_MAX 50

static void came_back(struct dh_task *self, struct dh_task *t)
{
	dh_task_set_state(t, DH_TASK_READY);
	dh_log_event(self, t->thread.id, DH_STEP_RETURN, 0);
}

/* Takes notice of those that came back from outside, lowest number first. */
static void take_returned(struct dh_task *self)
{
	struct dh_task *list = dh_turn_returned();

	while (list) {
		struct dh_task **least = &list, *t;

		for (struct dh_task **p = &list; *p; p = &(*p)->returned_next)
			if ((*p)->thread.id < (*least)->thread.id)
				least = p;
		t = *least;
		*least = t->returned_next;
		came_back(self, t);
	}
}

static uint32_t gather(struct pollfd *fds, uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < dh_core.io.count; i++) {
		struct dh_task *t = dh_core.io.at[i];

		for (uint32_t k = 0; k < t->nfds && n < max; k++) {
			fds[n] = t->fds[k];
			fds[n++].revents = 0;
		}
	}
	return n;
}

/* Wakes the tasks whose descriptors are ready; milliseconds < 0: waits for one. */
static void poll_io(struct dh_task *self, int milliseconds)
{
	static struct pollfd *fds;
	enum { MAX = 4096 };
	struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000l};
	uint32_t n, at = 0;
	struct dh_task *ready[64];
	uint32_t nready = 0;

	if (!fds)
		fds = rt_map(MAX * sizeof(*fds));
	if (!fds)
		dh_end_give_up("no memory is left for the scheduler");
	n = gather(fds, MAX);
	dh_core.io_dirty = false;
	dh_core.io_polled = dh_core.points;
	if (rt_syscall6(SYS_ppoll, fds, n, milliseconds < 0 ? NULL : &limit, 0, 0, 0) <= 0)
		return;
	for (uint32_t i = 0; i < dh_core.io.count && nready < 64; i++) {
		struct dh_task *t = dh_core.io.at[i];
		bool hit = false;

		for (uint32_t k = 0; k < t->nfds && at < n; k++)
			hit |= fds[at++].revents != 0;
		if (hit)
			ready[nready++] = t;
	}
	for (uint32_t i = 0; i < nready; i++) {
		dh_wake(ready[i], DH_WAKE_EVENT);
		dh_log_event(self, ready[i]->thread.id, DH_STEP_RETURN, 0);
	}
}

static void look_outside(struct dh_task *self)
{
	take_returned(self);
	if (dh_core.io.count > 0 &&
		(dh_core.io_dirty || dh_core.points >= dh_core.io_polled + IO_EVERY))
		poll_io(self, 0);
}

/* The one whose time is over first; only_early: among those whose time-out is short. */
static struct dh_task *first_deadline(bool only_early)
{
	struct dh_task *first = NULL;

	for (uint32_t i = 0; i < dh_core.timed.count; i++) {
		struct dh_task *t = dh_core.timed.at[i];

		if (only_early && !t->timed_out_early && t->deadline > dh_core.now)
			continue;
		if (!first || t->deadline < first->deadline ||
			(t->deadline == first->deadline && t->thread.id < first->thread.id))
			first = t;
	}
	return first;
}

static void time_out(struct dh_task *self, struct dh_task *t)
{
	dh_wake(t, DH_WAKE_TIMEOUT);
	dh_log_event(self, t->thread.id, DH_STEP_TIMEOUT, 0);
}

/* A waiter on a condition variable that may wake with no reason. */
static struct dh_task *spurious_waiter(void)
{
	uint32_t n = 0, chosen;

	for (uint32_t i = 0; i < dh_core.all.count; i++)
		n += dh_core.all.at[i]->state == DH_TASK_BLOCKED &&
		     dh_core.all.at[i]->block_flags & DH_BLOCK_SPURIOUS;
	if (n == 0)
		return NULL;
	chosen = dh_random_below(n);
	for (uint32_t i = 0;; i++) {
		struct dh_task *t = dh_core.all.at[i];

		if (t->state == DH_TASK_BLOCKED && t->block_flags & DH_BLOCK_SPURIOUS &&
			chosen-- == 0)
			return t;
	}
}

/* The first deadline of a task or a timer passes; false: there is none. */
static bool first_passes(struct dh_task *self, bool only_early)
{
	struct dh_task *t = first_deadline(only_early);
	uint32_t which = 0;
	uint64_t timer = dh_timer_first(only_early, &which);

	if (timer != DH_NEVER && (!t || timer < t->deadline))
		dh_timer_fire(self, which);
	else if (t)
		time_out(self, t);
	return t || timer != DH_NEVER;
}

static uint64_t first_time(void)
{
	struct dh_task *t = first_deadline(false);
	uint32_t which;
	uint64_t timer = dh_timer_first(false, &which);

	return t && t->deadline < timer ? t->deadline : timer;
}

/* Deadlines that have passed: in a calm run, and whenever threads only wait in loops, for time must
 * go on then. */
static void pass_time(struct dh_task *self)
{
	if (dh_core.timed.count + dh_core.timers_set == 0 ||
		(dh_ctl->ask.strategy == DH_SCHED_REPLAY && !dh_fair()))
		return;
	if (dh_core.idle > IDLE_POINTS ||
		(dh_ctl->ask.strategy == DH_SCHED_CALM && first_time() <= dh_core.now))
		first_passes(self, false);
}

static bool directed_by_chance(void)
{
	return dh_ctl->ask.strategy != DH_SCHED_CALM && dh_ctl->ask.strategy != DH_SCHED_REPLAY;
}

/* Wake-ups that nobody caused: short time-outs, spurious ones. */
static void surprises(struct dh_task *self)
{
	struct dh_task *t;

	if (!directed_by_chance())
		return;
	if (dh_core.timed.count + dh_core.timers_set > 0 && dh_random_below(EARLY_ONE_IN) == 0)
		first_passes(self, true);
	if (dh_ctl->ask.flags & DH_ASK_SPURIOUS && dh_random_below(SPURIOUS_ONE_IN) == 0) {
		t = spurious_waiter();
		if (t) {
			dh_wake(t, DH_WAKE_SPURIOUS);
			dh_log_event(self, t->thread.id, DH_STEP_SPURIOUS, 0);
		}
	}
}

/* Replay: what woke somebody at this point of the earlier run, happens again. */
static void replay_events(struct dh_task *self)
{
	const struct dh_sched_step *step;
	unsigned tries = 0;

	while ((step = dh_log_replay(self, DH_STEP_RETURN | DH_STEP_TIMEOUT | DH_STEP_SPURIOUS))) {
		struct dh_task *t = dh_task_by_id(step->next);

		if (step->flags & DH_STEP_TIMEOUT && step->next & DH_STEP_TIMER)
			dh_timer_fire(self, step->next & ~DH_STEP_TIMER);
		if (!t)
			continue;
		if (step->flags & DH_STEP_TIMEOUT)
			time_out(self, t);
		else if (step->flags & DH_STEP_SPURIOUS)
			dh_wake(t, DH_WAKE_SPURIOUS);
		while ((t->state == DH_TASK_OUTSIDE || t->state == DH_TASK_IO) && t != self &&
			tries++ < 1000) {
			if (dh_core.io.count > 0)
				poll_io(self, 1);
			else
				dh_turn_await_return(1);
			take_returned(self);
		}
	}
}

/* Nothing is ready: gives what is outside some real time, then lets the first deadline pass. */
static void wait_for_deadline(struct dh_task *self)
{
	uint64_t first = first_time();
	uint64_t left = first > dh_core.now ? (first - dh_core.now) / 1000000 : 0;
	int milliseconds = left > IDLE_MAX ? IDLE_MAX : (int)left;

	if (dh_core.io.count > 0)
		poll_io(self, milliseconds);
	else if (dh_core.outside.count > 0 && milliseconds > 0)
		dh_turn_await_return((uint32_t)milliseconds);
	take_returned(self);
	if (dh_core.ready.count == 0)
		first_passes(self, false);
}

static void wait_outside(struct dh_task *self)
{
	if (dh_core.io.count > 0)
		poll_io(self, dh_core.outside.count > 0 ? 2 : IDLE_MAX);
	else
		dh_turn_await_return(IDLE_MAX);
	take_returned(self);
}

/* Nobody watches over timers while all threads are outside: the last one that leaves does. */
static bool only_timers(void)
{
	return dh_core.timers_set > 0 && dh_core.timed.count + dh_core.io.count == 0;
}

/* Makes at least one task ready.  Without `wait`: 1 when it is, 0 when only time will tell. */
static bool make_ready(struct dh_task *self, bool wait)
{
	bool fired = false;

	while (dh_core.ready.count == 0) {
		uint32_t timed = dh_core.timed.count + dh_core.timers_set;
		uint32_t real = dh_core.io.count + dh_core.outside.count;

		dh_signal_look();
		if (dh_core.ready.count > 0)
			break;
		if (directed_by_chance() && real == 0 && first_passes(self, true))
			continue;
		if (dh_core.postponed.count > 0) {
			dh_directed_release_one();
		} else if (!wait && timed + real > 0 && (fired || !only_timers())) {
			return false;
		} else if (timed > 0) {
			wait_for_deadline(self);
			fired = true;
		} else if (real > 0) {
			wait_outside(self);
		} else if (dh_core.timers) {
			dh_turn_await_return(IDLE_MAX);
		} else {
			dh_end_stuck();
		}
	}
	return true;
}

struct dh_task *dh_pick(struct dh_task *self, bool wait)
{
	struct dh_task *next;

	if (dh_unlikely(dh_core.outside.count + dh_core.io.count > 0))
		look_outside(self);
	dh_signal_look();
	if (dh_ctl->ask.strategy == DH_SCHED_REPLAY)
		replay_events(self);
	else
		surprises(self);
	pass_time(self);
	/* Where all others wait in loops points are rare, and what they wait for may be held back.
	 */
	if (dh_core.postponed.count > 0 &&
		(dh_core.idle > IDLE_POINTS || dh_core.points % PATIENCE_EVERY == 0))
		dh_directed_patience();
	if (!make_ready(self, wait)) {
		/* Somebody has to watch over deadlines and descriptors. */
		return dh_core.timed.count > 0 ? dh_core.timed.at[0]
		       : dh_core.io.count > 0  ? dh_core.io.at[0]
					       : NULL;
	}
	next = dh_strategy_choose(self);
	/* One that is held back could go on as well: in a replay it is preempted.  Who takes turns
	 * with others that wait in loops is not. */
	if (next != self)
		dh_log_switch(self, next,
			!dh_fair() && (self->state == DH_TASK_READY ||
					      self->state == DH_TASK_POSTPONED)
				? DH_STEP_PREEMPT
				: 0);
	return next;
}
