/* Uses of a thread's stack by other threads: what they use is gone when the thread ends.  A use
 * that did not happen before the end could as well come behind it (DH_SUB_AFTER_THREAD_END). */
#include "sched/candidate.h"
#include "sched/detector.h"
#include "sched/pool.h"
#include "sched/table.h"

#define VISITS_MAX 4096u

struct visit {
	uint32_t owner, thread, slot, clock;
	uint32_t lockset, stack;
	struct dh_touch touch;
};

static struct visit *visits;
static uint32_t nvisits, visits_cap;
static struct dh_table by_statement; /* (pc, owner, thread) to index plus one */

void dh_visit_reset(void)
{
	nvisits = 0;
	dh_table_release(&by_statement);
}

void dh_visit_note(struct dh_thread *self, const struct dh_touch *touch)
{
	const struct dh_thread *owner = dh_thread_by_stack((void *)touch->address);
	const struct dh_actor *a = dh_actor_of(self);
	uint64_t *v;

	if (!owner || owner == self)
		return;
	v = dh_table_add(
		&by_statement, dh_mix2(touch->pc, (uint64_t)owner->id << 32 | a->thread) | 1);
	if (*v) {
		visits[*v - 1].clock = dh_actor_clock(a);
		return;
	}
	if (nvisits == VISITS_MAX) {
		dh_ctl->result.lost_history++;
		return;
	}
	visits = dh_pool_grow(visits, &visits_cap, nvisits + 1, sizeof *visits);
	visits[nvisits] = (struct visit){.owner = owner->id,
		.thread = a->thread,
		.slot = a->slot,
		.clock = dh_actor_clock(a),
		.lockset = a->lockset,
		.stack = dh_stack_keep(a->frames, touch->pc),
		.touch = *touch};
	*v = ++nvisits;
}

static struct dh_side use_side(const struct visit *v)
{
	return (struct dh_side){.pc = v->touch.pc,
		.address = v->touch.address,
		.size = (uint32_t)__builtin_popcount(v->touch.bytes),
		.thread = v->thread,
		.access = v->touch.access,
		.op = DH_OP_ACCESS,
		.role = DH_TARGET_FIRST,
		.lockset = v->lockset,
		.stack = v->stack};
}

void dh_visit_owner_ends(struct dh_thread *owner, uintptr_t pc)
{
	const struct dh_actor *a = dh_actor_of(owner);

	for (uint32_t i = 0; i < nvisits; i++) {
		const struct visit *v = &visits[i];
		struct dh_found f = {.kind = DH_CAND_ORDER,
			.sub = DH_SUB_AFTER_THREAD_END,
			.score = 2,
			.nsides = 2};

		if (v->owner != owner->id || dh_actor_knows(a, v->slot, v->clock))
			continue;
		f.side[0] = use_side(v);
		f.side[1] = (struct dh_side){.pc = pc,
			.address = v->touch.address,
			.thread = a->thread,
			.op = DH_OP_EXIT,
			.role = DH_TARGET_SECOND,
			.lockset = a->lockset};
		dh_candidate_add(&f);
	}
}
