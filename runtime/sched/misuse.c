#include "sched/misuse.h"

#include "sched/candidate.h"
#include "sched/detector.h"

/* glibc: kinds beyond these keep the thread that holds them elsewhere. */
#define KINDS_PLAIN 3
#define KIND_SHARED 128
/* glibc: the word of a rwlock. */
#define RW_WRITTEN 2u
#define RW_READERS 3

static void found(const void *at, uint32_t object, enum dh_sched_candidate_sub sub, uintptr_t pc)
{
	const struct dh_actor *a = dh_actor_of(dh_self);
	struct dh_found f = {.kind = DH_CAND_MISUSE, .sub = sub, .nsides = 1};

	f.side[0] = (struct dh_side){.pc = pc,
		.address = (uintptr_t)at,
		.thread = dh_self->id,
		.op = DH_OP_UNLOCK,
		.object = object,
		.lockset = a->lockset,
		.stack = dh_stack_keep(a->frames, pc)};
	dh_candidate_add(&f);
}

static bool looks(void)
{
	return dh_detecting & DH_DETECT_STACKS && dh_self && !dh_self->ignore;
}

static bool plain(const pthread_mutex_t *m)
{
	return (m->__data.__kind & ~KIND_SHARED) <= KINDS_PLAIN && dh_fork_depth == 0;
}

/* DH_SUB_NONE: the task holds it, or it cannot be told. */
static enum dh_sched_candidate_sub not_held(const struct dh_task *self, const pthread_mutex_t *m)
{
	if (!plain(m) || m->__data.__owner == self->tid)
		return DH_SUB_NONE;
	return m->__data.__lock ? DH_SUB_HELD_BY_OTHER : DH_SUB_NOT_HELD;
}

void dh_misuse_unlock(struct dh_task *self, const pthread_mutex_t *m, uintptr_t pc)
{
	enum dh_sched_candidate_sub sub = looks() ? not_held(self, m) : DH_SUB_NONE;

	if (sub != DH_SUB_NONE)
		found(m, dh_object_get(m, DH_OBJECT_MUTEX)->id, sub, pc);
}

void dh_misuse_cond_wait(struct dh_task *self, const pthread_mutex_t *m, uintptr_t pc)
{
	if (looks() && not_held(self, m) != DH_SUB_NONE)
		found(m, dh_object_get(m, DH_OBJECT_MUTEX)->id, DH_SUB_WAIT_NOT_HELD, pc);
}

void dh_misuse_mutex_destroy(const pthread_mutex_t *m, uintptr_t pc)
{
	if (looks() && plain(m) && m->__data.__lock)
		found(m, dh_object_get(m, DH_OBJECT_MUTEX)->id, DH_SUB_DESTROY_HELD, pc);
}

static bool is_held(const pthread_rwlock_t *l)
{
	return l->__data.__readers & RW_WRITTEN || l->__data.__readers >> RW_READERS;
}

void dh_misuse_rwlock_unlock(const pthread_rwlock_t *l, uintptr_t pc)
{
	if (looks() && !is_held(l))
		found(l, dh_object_get(l, DH_OBJECT_RWLOCK)->id, DH_SUB_NOT_HELD, pc);
}

void dh_misuse_rwlock_destroy(const pthread_rwlock_t *l, uintptr_t pc)
{
	if (looks() && is_held(l))
		found(l, dh_object_get(l, DH_OBJECT_RWLOCK)->id, DH_SUB_DESTROY_HELD, pc);
}

void dh_misuse_destroy_waited(const void *at, enum dh_object_kind kind, uintptr_t pc)
{
	const struct dh_object *obj;

	if (!looks())
		return;
	obj = dh_object_get(at, kind);
	for (const struct dh_task *t = obj->first_waiter; t; t = t->next_waiter) {
		/* Those that were woken are on their way out, and may be. */
		if (t->state != DH_TASK_BLOCKED)
			continue;
		found(at, obj->id, DH_SUB_DESTROY_WAITED, pc);
		return;
	}
}
