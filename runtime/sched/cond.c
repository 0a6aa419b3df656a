/* Condition variables.  They are the scheduler's altogether: the program's own is never touched
 * while a run is active, since nobody could wait in it. */
#include <errno.h>

#include "sched/core.h"
#include "sched/detect.h"
#include "sched/misuse.h"
#include "sched/real.h"

/* glibc keeps the clock of a condition variable here. */
#define CLOCK_MONOTONIC_BIT 2

static clockid_t clock_of(const pthread_cond_t *c)
{
	return c->__data.__wrefs & CLOCK_MONOTONIC_BIT ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

/* Blocks until it is signalled; the mutex is let go and taken again around it. */
static int wait_for(struct dh_task *self, pthread_cond_t *c, pthread_mutex_t *m, uintptr_t pc,
	uint64_t deadline)
{
	struct dh_object *obj = dh_object_get(c, DH_OBJECT_COND);
	struct dh_next next = {.op = DH_OP_COND_WAIT, .obj = obj, .pc = pc, .write = true};
	enum dh_wake why;
	int r = dh_mutex_give(self, m, pc, DH_LOCK_WAIT);

	if (r != 0)
		return r;
	dh_object_wait(obj, self);
	why = dh_block(self, &next, deadline, DH_BLOCK_CANCEL | DH_BLOCK_SPURIOUS);
	/* Whoever signals takes the waiter off the queue. */
	if (why != DH_WAKE_EVENT)
		dh_object_unwait(obj, self);
	r = dh_mutex_take(self, m, pc, DH_NEVER, DH_LOCK_WAIT);
	if (why == DH_WAKE_CANCEL)
		dh_cancel_point(self);
	if (r != 0)
		return r;
	return why == DH_WAKE_TIMEOUT ? ETIMEDOUT : 0;
}

int dh_cond_wait_at(pthread_cond_t *c, pthread_mutex_t *m, uintptr_t pc, uint64_t deadline)
{
	struct dh_task *self = dh_task_of(dh_self);
	int r;

	dh_sched_point(DH_OP_COND_WAIT, dh_object_get(c, DH_OBJECT_COND), pc);
	self->thread.inside++;
	dh_cancel_point(self);
	dh_misuse_cond_wait(self, m, pc);
	r = wait_for(self, c, m, pc, deadline);
	self->thread.inside--;
	return r;
}

static void wake_one(struct dh_task *self, struct dh_object *obj, struct dh_task *t)
{
	dh_object_unwait(obj, t);
	dh_detect_hand_over(&self->thread, &t->thread);
	dh_wake(t, DH_WAKE_EVENT);
}

void dh_cond_wake_at(pthread_cond_t *c, bool all, uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self), *t, *next;
	struct dh_object *obj = dh_object_get(c, DH_OBJECT_COND);
	uint32_t n = 0;

	dh_sched_point(all ? DH_OP_COND_BROADCAST : DH_OP_COND_SIGNAL, obj, pc);
	obj = dh_object_get(c, DH_OBJECT_COND);
	self->thread.inside++;
	/* Those that a time-out has woken already are on their way out. */
	for (t = obj->first_waiter; t; t = t->next_waiter)
		n += t->state == DH_TASK_BLOCKED;
	if (n > 0 && !all)
		n = dh_choose(self, n);
	for (t = obj->first_waiter; t; t = next) {
		next = t->next_waiter;
		if (t->state != DH_TASK_BLOCKED)
			continue;
		if (all || n-- == 0)
			wake_one(self, obj, t);
	}
	self->thread.inside--;
}

DH_EXPORT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a)
{
	if (dh_scheduled(dh_self))
		dh_object_destroy(c);
	return dh_real()->pthread_cond_init(c, a);
}

DH_EXPORT int pthread_cond_destroy(pthread_cond_t *c)
{
	if (dh_scheduled(dh_self)) {
		dh_misuse_destroy_waited(c, DH_OBJECT_COND, DH_CALLER());
		dh_object_destroy(c);
	}
	return dh_real()->pthread_cond_destroy(c);
}

DH_EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_cond_wait(c, m);
	return dh_cond_wait_at(c, m, DH_CALLER(), DH_NEVER);
}

DH_EXPORT int pthread_cond_timedwait(
	pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_cond_timedwait(c, m, until);
	return dh_cond_wait_at(c, m, DH_CALLER(), dh_clock_deadline(until, clock_of(c)));
}

DH_EXPORT int pthread_cond_clockwait(
	pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_cond_clockwait(c, m, clock, until);
	return dh_cond_wait_at(c, m, DH_CALLER(), dh_clock_deadline(until, clock));
}

DH_EXPORT int pthread_cond_signal(pthread_cond_t *c)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_cond_signal(c);
	dh_cond_wake_at(c, false, DH_CALLER());
	return 0;
}

DH_EXPORT int pthread_cond_broadcast(pthread_cond_t *c)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_cond_broadcast(c);
	dh_cond_wake_at(c, true, DH_CALLER());
	return 0;
}
