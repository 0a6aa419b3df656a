/* Mutexes.  The state is in the program's own mutex, taken with the C library's trylock: all types
 * behave as they are documented to, and only waiting is the scheduler's. */
#include <errno.h>

#include "sched/core.h"
#include "sched/detect.h"
#include "sched/misuse.h"
#include "sched/real.h"

/* Bits of glibc's __kind. */
#define KIND_TYPE   3
#define KIND_SHARED 128
#define KIND_ROBUST 16

static int kind_of(const pthread_mutex_t *m)
{
	return m->__data.__kind;
}

/* A mutex that processes share may be let go by somebody whom the scheduler does not know. */
static bool foreign(const pthread_mutex_t *m)
{
	return kind_of(m) & KIND_SHARED && dh_ctl->result.forks > 0;
}

static void taken(struct dh_task *self, struct dh_object *obj, uintptr_t pc, unsigned how)
{
	self->held++;
	if (obj->owner == &self->thread) {
		obj->depth++;
		return;
	}
	dh_object_block_again(obj, false);
	obj->owner = &self->thread;
	obj->depth = 1;
	obj->acquired_pc = pc;
	dh_detect_acquired(&self->thread, obj, how, pc);
}

/* What lock would say that trylock does not. */
static int relocked(struct dh_task *self, const struct dh_object *obj, const pthread_mutex_t *m)
{
	if (obj->owner == &self->thread && (kind_of(m) & KIND_TYPE) == PTHREAD_MUTEX_ERRORCHECK_NP)
		return EDEADLK;
	return 0;
}

/* The kernel marks a robust mutex when its owner is really gone, a little behind its last turn. */
static bool owner_died(struct dh_object *obj, const pthread_mutex_t *m)
{
	const struct dh_task *owner = obj->owner ? dh_task_of(obj->owner) : NULL;

	if (!owner || owner->state != DH_TASK_ENDED || !(kind_of(m) & KIND_ROBUST))
		return false;
	dh_thread_await(owner);
	obj->owner = NULL;
	return true;
}

static int wait_for(struct dh_task *self, struct dh_object *obj, uintptr_t pc, uint64_t deadline)
{
	struct dh_next next = {.op = DH_OP_LOCK, .obj = obj, .pc = pc, .write = true};
	enum dh_wake why;

	dh_object_wait(obj, self);
	why = dh_block(self, &next, deadline, 0);
	dh_object_unwait(obj, self);
	return why == DH_WAKE_TIMEOUT ? ETIMEDOUT : 0;
}

int dh_mutex_take(
	struct dh_task *self, pthread_mutex_t *m, uintptr_t pc, uint64_t deadline, unsigned how)
{
	struct dh_object *obj = dh_object_get(m, DH_OBJECT_MUTEX);
	int r, waited = 0;

	if (obj->owner != &self->thread)
		dh_detect_requested(&self->thread, obj, how, pc);
	if (foreign(m)) {
		dh_leave(self, pc);
		r = dh_real()->pthread_mutex_lock(m);
		dh_return(self);
	} else {
		while ((r = dh_real()->pthread_mutex_trylock(m)) == EBUSY) {
			if (owner_died(obj, m))
				continue;
			r = relocked(self, obj, m);
			if (r == 0)
				r = waited;
			if (r != 0)
				return r;
			waited = wait_for(self, obj, pc, deadline);
		}
	}
	if (r == 0 || r == EOWNERDEAD)
		taken(self, obj, pc, how);
	return r;
}

int dh_mutex_give(struct dh_task *self, pthread_mutex_t *m, uintptr_t pc, unsigned how)
{
	struct dh_object *obj = dh_object_get(m, DH_OBJECT_MUTEX);
	bool mine = obj->owner == &self->thread, last = mine && obj->depth == 1;
	int r;

	if (!(how & DH_LOCK_WAIT))
		dh_misuse_unlock(self, m, pc);
	if (last)
		dh_detect_releasing(&self->thread, obj, how, pc);
	r = dh_real()->pthread_mutex_unlock(m);
	if (r != 0)
		return r;
	/* A normal mutex may be let go by another thread: undefined, and done. */
	if (obj->owner && (!mine || --obj->depth == 0)) {
		dh_task_of(obj->owner)->held--;
		obj->owner = NULL;
	} else if (mine) {
		self->held--;
	}
	dh_object_wake_all(obj);
	return 0;
}

static void point(enum dh_sched_op op, const void *m, uintptr_t pc)
{
	dh_sched_point(op, dh_object_get(m, DH_OBJECT_MUTEX), pc);
}

DH_EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a)
{
	if (dh_scheduled(dh_self))
		dh_object_renew(m, DH_CALLER());
	return dh_real()->pthread_mutex_init(m, a);
}

DH_EXPORT int pthread_mutex_destroy(pthread_mutex_t *m)
{
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_mutex_destroy(m);
	dh_object_touch(m, DH_CALLER());
	dh_misuse_mutex_destroy(m, DH_CALLER());
	r = dh_real()->pthread_mutex_destroy(m);
	if (r == 0)
		dh_object_destroy(m);
	return r;
}

int dh_mutex_lock_at(pthread_mutex_t *m, uintptr_t pc, uint64_t deadline)
{
	struct dh_task *self = dh_task_of(dh_self);
	int r;

	point(DH_OP_LOCK, m, pc);
	self->thread.inside++;
	r = dh_mutex_take(self, m, pc, deadline, 0);
	self->thread.inside--;
	return r;
}

DH_EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_mutex_lock(m);
	return dh_mutex_lock_at(m, DH_CALLER(), DH_NEVER);
}

DH_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_mutex_timedlock(m, until);
	return dh_mutex_lock_at(m, DH_CALLER(), dh_clock_deadline(until, CLOCK_REALTIME));
}

DH_EXPORT int pthread_mutex_clocklock(
	pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_mutex_clocklock(m, clock, until);
	return dh_mutex_lock_at(m, DH_CALLER(), dh_clock_deadline(until, clock));
}

int dh_mutex_trylock_at(pthread_mutex_t *m, uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	int r;

	point(DH_OP_TRYLOCK, m, pc);
	self->thread.inside++;
	r = dh_real()->pthread_mutex_trylock(m);
	if (r == 0 || r == EOWNERDEAD)
		taken(self, dh_object_get(m, DH_OBJECT_MUTEX), pc, DH_LOCK_TRIED);
	else
		dh_spin(self, pc, (uintptr_t)m);
	self->thread.inside--;
	return r;
}

DH_EXPORT int pthread_mutex_trylock(pthread_mutex_t *m)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_mutex_trylock(m);
	return dh_mutex_trylock_at(m, DH_CALLER());
}

int dh_mutex_unlock_at(pthread_mutex_t *m, uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	int r;

	point(DH_OP_UNLOCK, m, pc);
	self->thread.inside++;
	r = dh_mutex_give(self, m, pc, 0);
	self->thread.inside--;
	return r;
}

DH_EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_mutex_unlock(m);
	return dh_mutex_unlock_at(m, DH_CALLER());
}
