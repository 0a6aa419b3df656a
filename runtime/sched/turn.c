/* Who has the turn, and how it goes from one thread to the next. */
#include "sched/core.h"

#include <errno.h>
#include <linux/futex.h>
#include <time.h>

#include "common/syscall.h"

/* Sleeps until *word may have changed from `value`. */
static void futex_wait(uint32_t *word, uint32_t value, const struct timespec *limit)
{
	rt_syscall4(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, limit);
}

static void futex_wake(uint32_t *word)
{
	rt_syscall3(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1);
}

/* What threads without the turn may touch: a list of those that came back, and whether the turn is
 * with nobody, because all were outside or blocked. */
static struct {
	uint32_t lock;
	bool free;
	struct dh_task *returned;
	uint32_t returns; /* futex: counts */
} gate;

static void gate_lock(void)
{
	while (__atomic_exchange_n(&gate.lock, 1, __ATOMIC_ACQUIRE))
		rt_syscall0(SYS_sched_yield);
}

static void gate_unlock(void)
{
	__atomic_store_n(&gate.lock, 0, __ATOMIC_RELEASE);
}

struct dh_task *dh_turn_returned(void)
{
	struct dh_task *list;

	if (!__atomic_load_n(&gate.returned, __ATOMIC_ACQUIRE))
		return NULL;
	gate_lock();
	list = gate.returned;
	gate.returned = NULL;
	gate_unlock();
	return list;
}

void dh_turn_await_return(uint32_t milliseconds)
{
	struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000l};
	uint32_t seen = __atomic_load_n(&gate.returns, __ATOMIC_ACQUIRE);

	if (__atomic_load_n(&gate.returned, __ATOMIC_ACQUIRE))
		return;
	futex_wait(&gate.returns, seen, milliseconds ? &limit : NULL);
}

static void wait_turn(struct dh_task *self)
{
	while (!__atomic_load_n(&self->turn, __ATOMIC_ACQUIRE))
		futex_wait(&self->turn, 0, NULL);
	self->turn = 0;
}

static void pass_turn(struct dh_task *next)
{
	dh_core.running = next;
	__atomic_store_n(&next->turn, 1, __ATOMIC_RELEASE);
	futex_wake(&next->turn);
}

/* The task goes on: nothing that it waited for matters any more. */
static void resume(struct dh_task *self)
{
	dh_core.running = self;
	dh_task_set_state(self, DH_TASK_RUNNING);
}

/* Everything that happens behind a point: signals that came meanwhile, cancellation. */
static void behind(struct dh_task *self)
{
	if (dh_unlikely(self->npending > 0))
		dh_signal_deliver(self);
	if (dh_unlikely(self->async_cancel && self->cancelled))
		dh_cancel_point(self);
}

/* The running task is not ready: lets others run until it is its turn again. */
static void give_up(struct dh_task *self)
{
	for (;;) {
		struct dh_task *next = dh_pick(self, true);

		if (next == self)
			break;
		pass_turn(next);
		wait_turn(self);
		/* Without being ready, it has the turn only to wait for something outside. */
		if (self->state == DH_TASK_READY || self->state == DH_TASK_NEW)
			break;
	}
	resume(self);
}

/* Every ready task had its turn meanwhile, and none of them does anything but wait in a loop. */
static bool only_waiting(void)
{
	return dh_core.idle > dh_ctl->ask.idle + dh_core.ready.count * DH_LOOKS &&
	       !dh_core.io.count && !dh_core.outside.count;
}

static void count_point(struct dh_task *self, const struct dh_next *next)
{
	uint64_t spent = dh_ctl->ask.budget - (uint64_t)self->thread.budget;

	self->next = *next;
	self->points++;
	if (next->op != DH_OP_BUDGET) {
		self->budgets = 0;
		self->waits = false;
	}
	dh_core.points++;
	dh_core.waited++;
	dh_core.now += 1000;
	dh_ctl->result.accesses += spent;
	dh_hot_spent(self, spent);
	self->thread.budget = (int64_t)dh_ctl->ask.budget;
	__atomic_store_n(&dh_ctl->heartbeat, dh_ctl->heartbeat + 1, __ATOMIC_RELAXED);
	if (dh_unlikely(dh_core.points - dh_core.spun > dh_ctl->ask.limit || only_waiting()))
		dh_end_limit();
	dh_log_point(self);
}

/* Nobody else could go on, and nothing will happen to it. */
static bool alone(const struct dh_task *self)
{
	return dh_core.alive == 1 && !dh_core.outside.count && !self->npending &&
	       !dh_core.timers_set;
}

void dh_point(struct dh_task *self, const struct dh_next *next)
{
	count_point(self, next);
	if (dh_likely(alone(self)) && !(next->roles && self->interrupted.roles))
		return;
	if (next->roles)
		dh_directed_at_target(self);
	else
		self->state = DH_TASK_READY;
	give_up(self);
	behind(self);
}

void dh_point_past(struct dh_task *self, const struct dh_next *next)
{
	count_point(self, next);
	behind(self);
}

enum dh_wake dh_block(
	struct dh_task *self, const struct dh_next *next, uint64_t deadline, unsigned flags)
{
	count_point(self, next);
	self->wake = DH_WAKE_NONE;
	self->block_flags = flags;
	self->blocked_since = dh_core.points;
	self->blocked_on = next->obj;
	if (self->npending > 0 && flags & DH_BLOCK_SIGNAL) {
		self->wake = DH_WAKE_SIGNAL;
		self->state = DH_TASK_READY;
	} else {
		self->deadline = self->kept_deadline = deadline;
		self->timed_out_early = deadline != DH_NEVER &&
					deadline <= dh_core.now + dh_ctl->ask.timeout_choice;
		if (deadline != DH_NEVER)
			dh_timed_add(self);
		dh_task_set_state(self, self->nfds ? DH_TASK_IO : DH_TASK_BLOCKED);
		if (deadline == DH_NEVER)
			dh_end_check_cycle(self);
	}
	give_up(self);
	self->blocked_on = NULL;
	behind(self);
	return self->wake;
}

void dh_wake(struct dh_task *t, enum dh_wake why)
{
	if (t->state != DH_TASK_BLOCKED && t->state != DH_TASK_IO)
		return;
	t->wake = why;
	if (why == DH_WAKE_TIMEOUT && t->deadline > dh_core.now)
		dh_core.now = t->deadline;
	dh_timed_remove(t);
	dh_task_set_state(t, DH_TASK_READY);
}

void dh_unwake(struct dh_task *t)
{
	if (t->state != DH_TASK_READY || t->wake != DH_WAKE_EVENT)
		return;
	t->wake = DH_WAKE_NONE;
	t->deadline = t->kept_deadline;
	if (t->deadline != DH_NEVER)
		dh_timed_add(t);
	dh_task_set_state(t, DH_TASK_BLOCKED);
}

/* Gives the turn away for good, or until dh_return(): to a ready task, to one that will watch over
 * descriptors and deadlines, or to nobody. */
static void drop_turn(struct dh_task *self)
{
	for (;;) {
		struct dh_task *other = dh_pick(self, false);

		if (other) {
			pass_turn(other);
			return;
		}
		gate_lock();
		/* Somebody may have come back since dh_pick() looked. */
		gate.free = !gate.returned;
		dh_core.running = NULL;
		gate_unlock();
		if (gate.free)
			return;
	}
}

void dh_leave(struct dh_task *self, uintptr_t pc)
{
	struct dh_next next = {.op = DH_OP_OUTSIDE, .pc = pc};

	count_point(self, &next);
	dh_ctl->result.outside++;
	if (dh_core.alive == 1)
		return;
	dh_task_set_state(self, DH_TASK_OUTSIDE);
	drop_turn(self);
}

void dh_return(struct dh_task *self)
{
	bool alone;

	if (self->state == DH_TASK_RUNNING) {
		behind(self);
		return;
	}
	gate_lock();
	alone = gate.free;
	gate.free = false;
	if (!alone) {
		self->returned_next = gate.returned;
		__atomic_store_n(&gate.returned, self, __ATOMIC_RELEASE);
	}
	gate_unlock();
	if (!alone) {
		__atomic_add_fetch(&gate.returns, 1, __ATOMIC_RELEASE);
		futex_wake(&gate.returns);
		wait_turn(self);
	}
	resume(self);
	behind(self);
}

struct dh_outside dh_outside_begin(uintptr_t pc)
{
	struct dh_outside o = {dh_task_of(dh_self)};

	o.self->thread.inside++;
	dh_cancel_point(o.self);
	dh_leave(o.self, pc);
	return o;
}

void dh_outside_end(struct dh_outside *o)
{
	int keep = errno;

	dh_return(o->self);
	dh_core.io_dirty = true;
	o->self->thread.inside--;
	errno = keep;
}

void dh_turn_end(struct dh_task *self)
{
	struct dh_next next = {.op = DH_OP_EXIT};

	count_point(self, &next);
	dh_task_set_state(self, DH_TASK_ENDED);
	if (--dh_core.alive > 0)
		drop_turn(self);
}

void dh_turn_first(struct dh_task *self)
{
	wait_turn(self);
	resume(self);
}

void dh_turn_forked(void)
{
	gate.lock = 0;
	gate.free = false;
	gate.returned = NULL;
}
