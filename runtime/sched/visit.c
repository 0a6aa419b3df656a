/* Uses of a thread's stack by other threads: what they use is gone when the thread ends.  A use
 * that did not happen before the end could as well come behind it (DH_SUB_AFTER_THREAD_END); one at
 * a target statement that does come behind it ends the run. */
#include "common/text.h"
#include "sched/candidate.h"
#include "sched/detector.h"
#include "sched/heap.h"
#include "sched/pool.h"
#include "sched/table.h"

#define VISITS_MAX 4096u
#define DEAD_MAX   64u

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
			.lockset = a->lockset};
		dh_candidate_add(&f);
	}
}

uintptr_t dh_stacks_low = UINTPTR_MAX, dh_stacks_high;

/* Stacks of threads that have ended, the newest in place of the oldest. */
static struct {
	uintptr_t low, high;
	uint32_t thread;
} dead[DEAD_MAX];
static uint32_t ndead;

/* The program may use memory that it gave to a thread as its stack for something else. */
void dh_stack_died(const struct dh_thread *t)
{
	if (!(dh_detecting & DH_DETECT_HEAP) || t->id == 0 || dh_heap_has(t->stack_low))
		return;
	dead[ndead % DEAD_MAX].low = (uintptr_t)t->stack_low;
	dead[ndead % DEAD_MAX].high = (uintptr_t)t->stack_high;
	dead[ndead++ % DEAD_MAX].thread = t->id;
}

void dh_stack_reused(uintptr_t low, uintptr_t high)
{
	for (uint32_t i = 0; i < DEAD_MAX && i < ndead; i++) {
		if (dead[i].low < high && low < dead[i].high)
			dead[i].low = dead[i].high = 0;
	}
}

void dh_stack_check(uintptr_t address, unsigned access, uintptr_t pc)
{
	for (uint32_t i = 0; i < DEAD_MAX && i < ndead; i++) {
		struct rt_text t;
		char words[128];

		if (address - dead[i].low >= dead[i].high - dead[i].low)
			continue;
		rt_text_init(&t, words, sizeof words);
		rt_text_add(&t, access & DH_SCHED_WRITE ? "write to" : "read of");
		rt_text_add(&t, " the stack of thread ");
		rt_text_add_number(&t, dead[i].thread);
		rt_text_add(&t, ", which has ended");
		dh_sched_stop(DH_END_HEAP, pc, (void *)address, words);
	}
}
