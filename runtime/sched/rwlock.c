/* Reader-writer locks and spin locks, in the manner of mutex.c. */
#include <errno.h>

#include "sched/core.h"
#include "sched/detect.h"
#include "sched/misuse.h"
#include "sched/real.h"

/* A waiting writer keeps readers out of locks of this kind; the lock itself does not know of those
 * that wait here. */
static bool writer_first(const pthread_rwlock_t *l, const struct dh_object *obj)
{
	if (l->__data.__flags != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP || !obj->readers)
		return false;
	for (const struct dh_task *t = obj->first_waiter; t; t = t->next_waiter)
		if (t->next.op == DH_OP_WRLOCK && t->state == DH_TASK_BLOCKED)
			return true;
	return false;
}

static int attempt(void *lock, struct dh_object *obj, bool shared)
{
	if (obj->kind == DH_OBJECT_SPIN)
		return dh_real()->pthread_spin_trylock(lock);
	if (shared && writer_first(lock, obj))
		return EBUSY;

	return shared ? dh_real()->pthread_rwlock_tryrdlock(lock)
		      : dh_real()->pthread_rwlock_trywrlock(lock);
}

static void taken(struct dh_task *self, struct dh_object *obj, unsigned how, uintptr_t pc)
{
	self->held++;
	dh_object_block_again(obj, how & DH_LOCK_SHARED);
	obj->acquired_pc = pc;
	if (how & DH_LOCK_SHARED) {
		obj->readers++;
		obj->reader_xor ^= (uintptr_t)&self->thread;
	} else {
		obj->owner = &self->thread;
	}
	dh_detect_acquired(&self->thread, obj, how, pc);
}

static int take(struct dh_task *self, void *lock, struct dh_object *obj, unsigned how, uintptr_t pc,
	uint64_t deadline)
{
	bool shared = how & DH_LOCK_SHARED;
	struct dh_next next = {
		.op = shared ? DH_OP_RDLOCK : DH_OP_WRLOCK,
		.obj = obj,
		.pc = pc,
		.write = !shared,
	};
	int r;

	/* glibc says so at once; the try functions would say EBUSY. */
	if (obj->kind == DH_OBJECT_RWLOCK && obj->owner == &self->thread)
		return EDEADLK;
	dh_detect_requested(&self->thread, obj, how, pc);
	while ((r = attempt(lock, obj, shared)) == EBUSY) {
		enum dh_wake why;

		dh_object_wait(obj, self);
		why = dh_block(self, &next, deadline, 0);
		dh_object_unwait(obj, self);
		if (why == DH_WAKE_TIMEOUT)
			return ETIMEDOUT;
	}
	if (r == 0)
		taken(self, obj, how, pc);
	return r;
}

static int lock(void *at, enum dh_object_kind kind, bool shared, uintptr_t pc, uint64_t deadline)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_object *obj = dh_object_get(at, kind);
	int r;

	dh_sched_point(shared ? DH_OP_RDLOCK : DH_OP_WRLOCK, obj, pc);
	obj = dh_object_get(at, kind);
	self->thread.inside++;
	r = take(self, at, obj, shared ? DH_LOCK_SHARED : 0, pc, deadline);
	self->thread.inside--;
	return r;
}

static int try_lock(void *at, enum dh_object_kind kind, bool shared, uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	int r;

	dh_sched_point(DH_OP_TRYLOCK, dh_object_get(at, kind), pc);
	self->thread.inside++;
	r = attempt(at, dh_object_get(at, kind), shared);
	if (r == 0)
		taken(self, dh_object_get(at, kind), DH_LOCK_TRIED | (shared ? DH_LOCK_SHARED : 0),
			pc);
	else
		dh_spin(self, pc, (uintptr_t)at);
	self->thread.inside--;
	return r;
}

static int unlock(void *at, enum dh_object_kind kind, uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_object *obj = dh_object_get(at, kind);
	bool shared;
	int r;

	dh_sched_point(DH_OP_UNLOCK, obj, pc);
	obj = dh_object_get(at, kind);
	shared = !obj->owner && obj->readers > 0;
	self->thread.inside++;
	if (kind == DH_OBJECT_RWLOCK)
		dh_misuse_rwlock_unlock(at, pc);
	if (shared || obj->owner == &self->thread)
		dh_detect_releasing(&self->thread, obj, shared ? DH_LOCK_SHARED : 0, pc);
	r = kind == DH_OBJECT_SPIN ? dh_real()->pthread_spin_unlock(at)
				   : dh_real()->pthread_rwlock_unlock(at);
	if (self->held > 0)
		self->held--;
	if (shared) {
		obj->readers--;
		obj->reader_xor ^= (uintptr_t)&self->thread;
	} else {
		obj->owner = NULL;
	}
	dh_object_wake_all(obj);
	self->thread.inside--;
	return r;
}

DH_EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a)
{
	if (dh_scheduled(dh_self))
		dh_object_renew((const void *)l, DH_CALLER());
	return dh_real()->pthread_rwlock_init(l, a);
}

DH_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	if (dh_scheduled(dh_self)) {
		dh_misuse_rwlock_destroy(l, DH_CALLER());
		dh_object_renew(l, DH_CALLER());
	}
	return dh_real()->pthread_rwlock_destroy(l);
}

DH_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_rwlock_rdlock(l);
	return lock(l, DH_OBJECT_RWLOCK, true, DH_CALLER(), DH_NEVER);
}

DH_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_rwlock_timedrdlock(l, until);
	return lock(
		l, DH_OBJECT_RWLOCK, true, DH_CALLER(), dh_clock_deadline(until, CLOCK_REALTIME));
}

DH_EXPORT int pthread_rwlock_clockrdlock(
	pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_rwlock_clockrdlock(l, clock, until);
	return lock(l, DH_OBJECT_RWLOCK, true, DH_CALLER(), dh_clock_deadline(until, clock));
}

DH_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_rwlock_wrlock(l);
	return lock(l, DH_OBJECT_RWLOCK, false, DH_CALLER(), DH_NEVER);
}

DH_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_rwlock_timedwrlock(l, until);
	return lock(
		l, DH_OBJECT_RWLOCK, false, DH_CALLER(), dh_clock_deadline(until, CLOCK_REALTIME));
}

DH_EXPORT int pthread_rwlock_clockwrlock(
	pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_rwlock_clockwrlock(l, clock, until);
	return lock(l, DH_OBJECT_RWLOCK, false, DH_CALLER(), dh_clock_deadline(until, clock));
}

DH_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_rwlock_tryrdlock(l);
	return try_lock(l, DH_OBJECT_RWLOCK, true, DH_CALLER());
}

DH_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_rwlock_trywrlock(l);
	return try_lock(l, DH_OBJECT_RWLOCK, false, DH_CALLER());
}

DH_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_rwlock_unlock(l);
	return unlock(l, DH_OBJECT_RWLOCK, DH_CALLER());
}

DH_EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
	if (dh_scheduled(dh_self))
		dh_object_renew((const void *)l, DH_CALLER());
	return dh_real()->pthread_spin_init(l, shared);
}

DH_EXPORT int pthread_spin_destroy(pthread_spinlock_t *l)
{
	if (dh_scheduled(dh_self))
		dh_object_renew((const void *)l, DH_CALLER());
	return dh_real()->pthread_spin_destroy(l);
}

DH_EXPORT int pthread_spin_lock(pthread_spinlock_t *l)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_spin_lock(l);
	return lock((void *)l, DH_OBJECT_SPIN, false, DH_CALLER(), DH_NEVER);
}

DH_EXPORT int pthread_spin_trylock(pthread_spinlock_t *l)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_spin_trylock(l);
	return try_lock((void *)l, DH_OBJECT_SPIN, false, DH_CALLER());
}

DH_EXPORT int pthread_spin_unlock(pthread_spinlock_t *l)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_spin_unlock(l);
	return unlock((void *)l, DH_OBJECT_SPIN, DH_CALLER());
}
