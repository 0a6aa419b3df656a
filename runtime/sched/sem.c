/* Semaphores, barriers, once. */
#include <errno.h>

#include "common/syscall.h"
#include "sched/core.h"
#include "sched/detect.h"
#include "sched/misuse.h"
#include "sched/real.h"

/* -- semaphores: the value is the program's, waiting is the scheduler's */

/* One that processes share; glibc keeps it behind the value. */
static bool foreign(const sem_t *s)
{
	return ((const int *)s)[2] != 0 && dh_ctl->result.forks > 0;
}

static int wait_shared(struct dh_task *self, sem_t *s, uintptr_t pc)
{
	int r;

	dh_leave(self, pc);
	r = dh_real()->sem_wait(s);
	dh_return(self);
	return r;
}

static void took(struct dh_task *self, sem_t *s, struct dh_object *obj)
{
	int left = 0;

	dh_detect_receive(&self->thread, obj);
	if (sem_getvalue(s, &left) == 0 && left <= 0)
		dh_object_block_again(obj, false);
}

/* 0, or -1 with errno. */
static int sem_take(sem_t *s, uintptr_t pc, uint64_t deadline)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_object *obj = dh_object_get(s, DH_OBJECT_SEM);
	struct dh_next next = {.op = DH_OP_SEM_WAIT, .obj = obj, .pc = pc, .write = true};
	enum dh_wake why = DH_WAKE_NONE;
	int r;

	dh_sched_point(DH_OP_SEM_WAIT, obj, pc);
	self->thread.inside++;
	dh_cancel_point(self);
	while ((r = dh_real()->sem_trywait(s)) != 0 && errno == EAGAIN) {
		if (foreign(s)) {
			r = wait_shared(self, s, pc);
			break;
		}
		if (why == DH_WAKE_TIMEOUT || (why == DH_WAKE_SIGNAL && !self->restart)) {
			errno = why == DH_WAKE_TIMEOUT ? ETIMEDOUT : EINTR;
			break;
		}
		dh_object_wait(obj, self);
		why = dh_block(self, &next, deadline, DH_BLOCK_CANCEL | DH_BLOCK_SIGNAL);
		dh_object_unwait(obj, self);
		if (why == DH_WAKE_CANCEL)
			dh_cancel_point(self);
	}
	if (r == 0)
		took(self, s, obj);
	self->thread.inside--;
	return r;
}

DH_EXPORT int sem_init(sem_t *s, int shared, unsigned value)
{
	if (dh_scheduled(dh_self))
		dh_object_renew(s, DH_CALLER());
	return dh_real()->sem_init(s, shared, value);
}

DH_EXPORT int sem_destroy(sem_t *s)
{
	if (dh_scheduled(dh_self)) {
		dh_misuse_destroy_waited(s, DH_OBJECT_SEM, DH_CALLER());
		dh_object_renew(s, DH_CALLER());
	}
	return dh_real()->sem_destroy(s);
}

DH_EXPORT int sem_wait(sem_t *s)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sem_wait(s);
	return sem_take(s, DH_CALLER(), DH_NEVER);
}

DH_EXPORT int sem_timedwait(sem_t *s, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sem_timedwait(s, until);
	return sem_take(s, DH_CALLER(), dh_clock_deadline(until, CLOCK_REALTIME));
}

DH_EXPORT int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->sem_clockwait(s, clock, until);
	return sem_take(s, DH_CALLER(), dh_clock_deadline(until, clock));
}

DH_EXPORT int sem_trywait(sem_t *s)
{
	struct dh_task *self = dh_task_of(dh_self);
	uintptr_t pc = DH_CALLER();
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->sem_trywait(s);
	dh_sched_point(DH_OP_TRYLOCK, dh_object_get(s, DH_OBJECT_SEM), pc);
	self->thread.inside++;
	r = dh_real()->sem_trywait(s);
	if (r == 0)
		took(self, s, dh_object_get(s, DH_OBJECT_SEM));
	else
		dh_spin(self, pc, (uintptr_t)s);
	self->thread.inside--;
	return r;
}

DH_EXPORT int sem_post(sem_t *s)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_object *obj;
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->sem_post(s);
	dh_sched_point(DH_OP_SEM_POST, dh_object_get(s, DH_OBJECT_SEM), DH_CALLER());
	obj = dh_object_get(s, DH_OBJECT_SEM);
	self->thread.inside++;
	dh_detect_send(&self->thread, obj);
	r = dh_real()->sem_post(s);
	dh_object_wake_all(obj);
	self->thread.inside--;
	return r;
}

/* -- barriers */

/* How many it takes, where glibc has it. */
static uint32_t barrier_count(const pthread_barrier_t *b)
{
	return ((const uint32_t *)b)[2];
}

static int barrier_pass(struct dh_task *self, struct dh_object *obj)
{
	obj->depth = 0;
	obj->round++;
	for (struct dh_task *t = obj->first_waiter; t; t = t->next_waiter)
		dh_detect_receive(&t->thread, obj);
	dh_detect_receive(&self->thread, obj);
	dh_object_wake_all(obj);
	return PTHREAD_BARRIER_SERIAL_THREAD;
}

static int barrier_wait(struct dh_task *self, pthread_barrier_t *b, uintptr_t pc)
{
	struct dh_object *obj = dh_object_get(b, DH_OBJECT_BARRIER);
	struct dh_next next = {.op = DH_OP_BARRIER, .obj = obj, .pc = pc, .write = true};
	uint32_t round = obj->round;

	dh_detect_send(&self->thread, obj);
	if (++obj->depth >= barrier_count(b))
		return barrier_pass(self, obj);
	while (obj->round == round) {
		dh_object_wait(obj, self);
		dh_block(self, &next, DH_NEVER, 0);
		dh_object_unwait(obj, self);
	}
	return 0;
}

DH_EXPORT int pthread_barrier_init(
	pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned count)
{
	if (dh_scheduled(dh_self))
		dh_object_renew(b, DH_CALLER());
	return dh_real()->pthread_barrier_init(b, a, count);
}

DH_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
	if (dh_scheduled(dh_self)) {
		dh_misuse_destroy_waited(b, DH_OBJECT_BARRIER, DH_CALLER());
		dh_object_renew(b, DH_CALLER());
	}
	return dh_real()->pthread_barrier_destroy(b);
}

DH_EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
	struct dh_task *self = dh_task_of(dh_self);
	uintptr_t pc = DH_CALLER();
	int r;

	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_barrier_wait(b);
	dh_sched_point(DH_OP_BARRIER, dh_object_get(b, DH_OBJECT_BARRIER), pc);
	self->thread.inside++;
	r = barrier_wait(self, b, pc);
	self->thread.inside--;
	return r;
}

/* -- the barrier that orders nothing, for tests of race detectors: older programs have 8 bytes for
 * it, newer ones 4: the number of threads in the lower bits of these, arrivals in the others.  It
 * shows a run the way, and does not keep threads from meeting that are to be brought together. */

#define COUNT_BITS 10u
#define AWAIT_NS   500000000u

void __tsan_testonly_barrier_init(uint32_t *barrier, unsigned count);
DH_EXPORT void __tsan_testonly_barrier_init(uint32_t *barrier, unsigned count)
{
	*barrier = count & ((1u << COUNT_BITS) - 1);
}

static bool arrived(const uint32_t *barrier, uint32_t until)
{
	return __atomic_load_n(barrier, __ATOMIC_RELAXED) >> COUNT_BITS >= until;
}

static void await_arrivals(struct dh_task *self, uint32_t *barrier, uint32_t until, uintptr_t pc)
{
	struct dh_object *obj = dh_object_get(barrier, DH_OBJECT_BARRIER);
	struct dh_next next = {.op = DH_OP_BARRIER, .obj = obj, .pc = pc, .write = true};

	uint64_t deadline =
		dh_ctl->ask.strategy >= DH_SCHED_RACE ? dh_core.now + AWAIT_NS : DH_NEVER;
	enum dh_wake why = DH_WAKE_NONE;

	self->thread.inside++;
	dh_object_wake_all(obj);
	while (!arrived(barrier, until) && why != DH_WAKE_TIMEOUT) {
		dh_object_wait(obj, self);
		why = dh_block(self, &next, deadline, DH_BLOCK_SLEEP);
		dh_object_unwait(obj, self);
	}
	self->thread.inside--;
}

void __tsan_testonly_barrier_wait(uint32_t *barrier);
DH_EXPORT void __tsan_testonly_barrier_wait(uint32_t *barrier)
{
	uint32_t now = __atomic_add_fetch(barrier, 1u << COUNT_BITS, __ATOMIC_RELAXED);
	uint32_t count = now & ((1u << COUNT_BITS) - 1), at = now >> COUNT_BITS;
	uint32_t until = count ? (at + count - 1) / count * count : 0;

	if (dh_scheduled(dh_self)) {
		await_arrivals(dh_task_of(dh_self), barrier, until, DH_CALLER());
		return;
	}
	while (!arrived(barrier, until))
		rt_syscall0(SYS_sched_yield);
}

/* -- once: 0 not yet, 2 done, as glibc has it */

#define ONCE_DONE 2

struct once_guard {
	struct dh_task *self;
	struct dh_object *obj;
};

/* Also when the routine is left by an exception or by cancellation: the next one tries again. */
static void once_leave(struct once_guard *g)
{
	g->obj->owner = NULL;
	dh_object_wake_all(g->obj);
}

static void once_run(struct dh_task *self, struct dh_object *obj, pthread_once_t *control,
	void (*routine)(void), uintptr_t pc)
{
	__attribute__((cleanup(once_leave), unused)) struct once_guard guard = {self, obj};

	obj->owner = &self->thread;
	obj->acquired_pc = pc;
	self->thread.inside--;
	routine();
	self->thread.inside++;
	dh_detect_send(&self->thread, obj);
	__atomic_store_n((int *)control, ONCE_DONE, __ATOMIC_RELEASE);
}

int dh_once_at(pthread_once_t *control, void (*routine)(void), uintptr_t pc)
{
	struct dh_task *self = dh_task_of(dh_self);
	struct dh_object *obj = dh_object_get(control, DH_OBJECT_ONCE);
	struct dh_next next = {.op = DH_OP_ONCE, .obj = obj, .pc = pc, .write = true};

	dh_sched_point(DH_OP_ONCE, obj, pc);
	self->thread.inside++;
	while (!(*(volatile int *)control & ONCE_DONE)) {
		if (!obj->owner) {
			once_run(self, obj, control, routine, pc);
			continue;
		}
		dh_object_wait(obj, self);
		dh_block(self, &next, DH_NEVER, 0);
		dh_object_unwait(obj, self);
	}
	dh_detect_receive(&self->thread, obj);
	self->thread.inside--;
	return 0;
}

DH_EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void))
{
	if (!dh_scheduled(dh_self))
		return dh_real()->pthread_once(control, routine);
	return dh_once_at(control, routine, DH_CALLER());
}
