/* What the scheduler tells: threads, locks and messages become clocks, locksets and segments. */
#include "sched/detect.h"

#include "sched/candidate.h"
#include "sched/detector.h"
#include "sched/heap.h"
#include "sched/lockgraph.h"
#include "sched/lockset.h"
#include "sched/pool.h"

enum dh_look dh_look, dh_glance;
uint32_t dh_detecting;

/* Kinds of candidates that need to see accesses. */
#define ACCESSES (DH_DETECT_RACES | DH_DETECT_ATOMICITY | DH_DETECT_ORDER)

/* Targets and points at every access need the scheduler each time. */
static bool no_targets(void)
{
	for (uint32_t i = 0; i < DH_WATCH_SIZE; i++) {
		if (dh_watch[i])
			return false;
	}
	return true;
}

static void choose(void)
{
	dh_look = dh_detecting & DH_DETECT_HEAP ? DH_LOOK_HEAP : DH_LOOK_NOT;
	if (!(dh_detecting & ACCESSES))
		return;
	if (dh_detecting & DH_DETECT_STACKS) {
		dh_history_start();
		dh_look = DH_LOOK_HISTORY;
	} else if (dh_screen_start()) {
		dh_look = DH_LOOK_SCREEN;
	} else {
		dh_sched_stop(DH_END_GIVEN_UP, 0, NULL,
			"there is no address space for shadow memory (ulimit -v?)");
	}
}

void dh_detect_start(void)
{
	dh_detecting = dh_ctl->ask.detect;
	dh_candidate_start();
	dh_lockgraph_reset();
	dh_sync_clear(0, SIZE_MAX);
	dh_visit_reset();
	dh_handlers_reset();
	choose();
	dh_glance = dh_look != DH_LOOK_SCREEN || no_targets() ? dh_look : DH_LOOK_NOT;
}

static void found_cycle(const struct dh_request **member, uint32_t n, void *arg)
{
	struct dh_found f = {.kind = DH_CAND_DEADLOCK, .nsides = n, .score = 10 - n};

	(void)arg;
	for (uint32_t i = 0; i < n; i++) {
		f.side[i] = (struct dh_side){.pc = member[i]->pc,
			.address = dh_lock_address(member[i]->lock),
			.thread = member[i]->thread,
			.op = member[i]->shared ? DH_OP_RDLOCK : DH_OP_LOCK,
			.role = DH_TARGET_LOCK,
			.object = member[i]->lock,
			.lockset = member[i]->held,
			.stack = member[i]->stack};
	}
	dh_candidate_add(&f);
}

enum dh_sched_end dh_detect_end(enum dh_sched_end end)
{
	if (dh_detecting & DH_DETECT_LOCK_ORDER)
		dh_ctl->result.lost_history += dh_lockgraph_cycles(found_cycle, NULL);
	if (end == DH_END_EXIT && dh_detecting & DH_DETECT_HEAP &&
		dh_heap_damaged(&dh_ctl->outcome))
		end = DH_END_HEAP;
	return end;
}

void dh_detect_thread_created(struct dh_thread *parent, struct dh_thread *child, uintptr_t pc)
{
	(void)pc;
	child->detect = dh_actor_new(parent ? dh_actor_of(parent) : NULL, child->id);
}

void dh_detect_thread_started(struct dh_thread *self)
{
	uintptr_t low = (uintptr_t)self->stack_low, high = (uintptr_t)self->stack_high;

	dh_frames_attach(&dh_frames);
	dh_actor_bind(dh_actor_of(self), self);
	dh_stacks_low = low < dh_stacks_low ? low : dh_stacks_low;
	dh_stacks_high = high > dh_stacks_high ? high : dh_stacks_high;
	/* Whoever had this stack before has nothing to do with this thread. */
	if (self->id == 0 || high <= low)
		return;
	dh_memory_fresh(low, high - low);
	dh_stack_reused(low, high);
}

void dh_detect_thread_ended(struct dh_thread *self)
{
	struct dh_actor *a;

	dh_handler_thread_ends(self);
	a = dh_actor_of(self);
	if (dh_detecting & DH_DETECT_ORDER)
		dh_visit_owner_ends(self, 0);
	dh_stack_died(self);
	dh_frames_detach(&dh_frames);
	a->frames = &a->parked;
	a->cell = NULL;
}

static void retire(struct dh_thread *dead)
{
	if (!dead->detect)
		return;
	if (dh_actor_of(dead)->handler)
		dh_actor_free(dh_actor_of(dead)->handler);
	dh_actor_free(dh_actor_of(dead));
	dead->detect = NULL;
}

void dh_detect_thread_joined(struct dh_thread *self, struct dh_thread *dead)
{
	if (dead->detect)
		dh_actor_receive(dh_actor_of(self), &dh_actor_of(dead)->vc);
	retire(dead);
}

void dh_detect_thread_gone(struct dh_thread *dead)
{
	retire(dead);
}

void dh_detect_requested(struct dh_thread *self, struct dh_object *lock, unsigned how, uintptr_t pc)
{
	const struct dh_actor *a = dh_actor_of(self);
	struct dh_request r = {.thread = a->thread,
		.slot = a->slot,
		.lock = lock->id,
		.shared = how & DH_LOCK_SHARED,
		.held = a->lockset,
		.pc = pc};

	if (!(dh_detecting & DH_DETECT_LOCK_ORDER) || !a->nheld || how & DH_LOCK_TRIED ||
		a->interrupted)
		return;
	if (dh_lockgraph_known(&r, &a->vc))
		return;
	dh_lock_note(lock);
	r.stack = dh_stack_keep(a->frames, pc);
	dh_lockgraph_add(&r, &a->vc);
}

static struct dh_sync *sync_of(struct dh_object *obj)
{
	if (!obj->detect)
		obj->detect = dh_pool_alloc(sizeof(struct dh_sync));
	return obj->detect;
}

static bool orders(const struct dh_object *lock)
{
	return dh_detecting & DH_DETECT_HB || lock->flags & DH_OBJECT_ORDERS;
}

void dh_detect_acquired(struct dh_thread *self, struct dh_object *lock, unsigned how, uintptr_t pc)
{
	struct dh_actor *a = dh_actor_of(self);
	bool shared = how & DH_LOCK_SHARED;

	if (!dh_detecting)
		return;
	if (!lock->detect)
		dh_lock_note(lock);
	sync_of(lock);
	if (a->ignore_sync)
		return;
	dh_actor_hold(a, lock->id, shared, pc);
	if (orders(lock)) {
		dh_actor_receive(a, &sync_of(lock)->vc);
		if (!shared)
			dh_actor_receive(a, &sync_of(lock)->readers);
	}
	dh_actor_renew(a);
}

void dh_detect_releasing(struct dh_thread *self, struct dh_object *lock, unsigned how, uintptr_t pc)
{
	struct dh_actor *a = dh_actor_of(self);
	bool shared;

	(void)pc;
	if (!dh_detecting)
		return;
	shared = dh_actor_let_go(a, lock->id, how & DH_LOCK_SHARED);
	if (orders(lock))
		dh_actor_send(a, shared ? &sync_of(lock)->readers : &sync_of(lock)->vc);
	else
		dh_actor_renew(a);
}

void dh_detect_memory(
	struct dh_thread *self, const void *address, size_t size, bool write, uintptr_t pc)
{
	if (dh_look != DH_LOOK_NOT && !self->ignore)
		dh_range(self, (uintptr_t)address, size, write ? DH_SCHED_WRITE : 0, pc);
}

void dh_detect_send(struct dh_thread *self, struct dh_object *obj)
{
	if (dh_detecting)
		dh_actor_send(dh_actor_of(self), &sync_of(obj)->vc);
}

void dh_detect_receive(struct dh_thread *self, struct dh_object *obj)
{
	if (dh_detecting && obj->detect)
		dh_actor_receive(dh_actor_of(self), &sync_of(obj)->vc);
}

void dh_detect_hand_over(struct dh_thread *from, struct dh_thread *to)
{
	struct dh_actor *a = dh_actor_of(from), *b = dh_actor_of(to);

	if (dh_detecting && a && b && a != b)
		dh_actor_send(a, &b->vc);
}

void dh_detect_object(struct dh_thread *self, uint64_t address, bool write, uintptr_t pc)
{
	if (dh_look != DH_LOOK_NOT && !self->ignore)
		dh_range(self, address, 1, DH_SCHED_OBJECT | (write ? DH_SCHED_WRITE : 0), pc);
}

/* Those that the program makes and ends itself. */
static bool has_lifetime(enum dh_object_kind kind)
{
	return kind >= DH_OBJECT_MUTEX && kind <= DH_OBJECT_BARRIER;
}

void dh_detect_object_used(uint64_t address, enum dh_object_kind kind, uintptr_t pc)
{
	if (dh_heap_freed(address))
		dh_heap_used_after_free(pc, address, DH_SCHED_WRITE);
	if (dh_detecting & DH_DETECT_RACES && has_lifetime(kind))
		dh_detect_object(dh_self, address, false, pc);
}

void dh_detect_object_gone(struct dh_object *obj)
{
	struct dh_sync *s = obj->detect;

	if (!s)
		return;
	dh_vc_release(&s->vc);
	dh_vc_release(&s->readers);
	dh_pool_free(s, sizeof *s);
	obj->detect = NULL;
}

/* In the child of a fork the program goes on by itself, unwatched. */
void dh_detect_forked(struct dh_thread *self)
{
	(void)self;
	dh_detecting = 0;
	dh_look = dh_glance = DH_LOOK_NOT;
}

uint32_t dh_detect_stack(const struct dh_thread *thread, uintptr_t pc, uint64_t *ret, uint32_t max)
{
	const struct dh_actor *a = dh_actor_of(thread);

	if (a && a->frames)
		return dh_frames_read(a->frames, pc, ret, max);
	if (pc == 0 || max == 0)
		return 0;
	ret[0] = pc;
	return 1;
}
