#include "sched/candidate.h"

#include "sched/annotate.h"
#include "sched/core.h"
#include "sched/detector.h"
#include "sched/heap.h"
#include "sched/lockset.h"
#include "sched/table.h"

static struct dh_table by_statements; /* hash to index plus one */

void dh_candidate_start(void)
{
	dh_table_release(&by_statements);
}

/* Libraries that the program opened since are looked for a few times. */
#define REFRESH_MAX 32

static const struct dh_sched_module *known_module(uintptr_t pc)
{
	uint32_t n = dh_ctl->result.nmodules;

	for (uint32_t i = 0; i < n && i < DH_SCHED_MODULES_MAX; i++) {
		const struct dh_sched_module *m = &dh_ctl->module[i];

		if (pc >= m->low && pc < m->high)
			return m;
	}
	return NULL;
}

static const struct dh_sched_module *module_of(uintptr_t pc)
{
	static uint32_t refreshed;
	const struct dh_sched_module *m = known_module(pc);

	if (m || refreshed++ >= REFRESH_MAX)
		return m;
	dh_directed_resolve_modules();
	return known_module(pc);
}

uintptr_t dh_whole_pc(uint32_t lower, uintptr_t near)
{
	uint32_t n = dh_ctl->result.nmodules;

	for (uint32_t i = 0; i < n && i < DH_SCHED_MODULES_MAX; i++) {
		const struct dh_sched_module *m = &dh_ctl->module[i];
		uintptr_t pc = m->low + ((lower - m->low) & DH_CELL_PC);

		if (pc < m->high)
			return pc;
	}
	return (near & ~DH_CELL_PC) | lower;
}

/* Independent of where modules were loaded. */
static uint64_t statement_hash(uintptr_t pc)
{
	const struct dh_sched_module *m = module_of(pc);
	uint64_t hash = 5381;

	if (!m)
		return dh_mix(pc);
	for (const char *p = m->path; *p; p++)
		hash = hash * 33 + (unsigned char)*p;
	return dh_mix2(hash, pc - m->base);
}

/* What a confirming run would do is what makes a candidate: with the same targets it is the same
 * one, whichever accesses behind a lock it was found with. */
static bool counts(const struct dh_found *f, uint32_t side)
{
	return f->side[side].role != DH_TARGET_NONE || f->side[side].op == DH_OP_EXIT ||
	       f->kind == DH_CAND_MISUSE;
}

/* The sides of a race have no order, nor have those of a cycle. */
static uint64_t hash_of(const struct dh_found *f, uint64_t (*of)(uintptr_t))
{
	bool ordered = f->kind == DH_CAND_ATOMICITY || f->kind == DH_CAND_ORDER;
	uint64_t hash = dh_mix2(f->kind, f->sub), sum = 0;

	for (uint32_t i = 0; i < f->nsides; i++) {
		uint64_t one = of(f->side[i].pc);

		if (!counts(f, i))
			continue;
		if (ordered)
			hash = dh_mix2(hash, one);
		else
			sum += dh_mix(one);
	}
	return dh_mix2(hash, sum) | 1;
}

static uint64_t as_it_is(uintptr_t pc)
{
	return pc;
}

static void write_side(const struct dh_side *side, struct dh_sched_site *ret)
{
	uint32_t n, thread = side->thread & ~DH_IN_HANDLER;
	const uint32_t *locks = dh_lockset_members(side->lockset, &n);

	*ret = (struct dh_sched_site){.pc = side->pc,
		.address = side->address,
		.size = side->size,
		.thread = thread,
		.access = side->access,
		.op = side->op,
		.role = side->role,
		.object = side->object,
		.hits = 1};
	for (uint32_t i = 0; i < n && ret->nlocks < DH_SCHED_LOCKS_MAX; i++) {
		if (locks[i] >> 1 >= DH_LOCK_OF_SIGNAL)
			continue;
		ret->locks[ret->nlocks] = locks[i] >> 1;
		ret->lock_address[ret->nlocks++] = dh_lock_address(locks[i] >> 1);
	}
	dh_stack_write(side->stack, thread, &ret->stack);
	if (!ret->stack.count) {
		ret->stack.count = 1;
		ret->stack.pc[0] = side->pc;
	}
}

static void describe_memory(uintptr_t address, struct dh_sched_candidate *c)
{
	struct dh_thread *owner;

	if (!address)
		return;
	if (dh_heap_describe(address, c)) {
		c->memory = DH_MEM_HEAP;
		return;
	}
	owner = dh_thread_by_stack((void *)address);
	if (owner) {
		c->memory = DH_MEM_STACK;
		c->block_thread = owner->id;
	} else if (known_module(address)) {
		c->memory = DH_MEM_GLOBAL;
	}
}

static void write_candidate(const struct dh_found *f, struct dh_sched_candidate *c)
{
	*c = (struct dh_sched_candidate){.kind = f->kind,
		.sub = (uint8_t)f->sub,
		.score = f->score,
		.nsites = f->nsides,
		.hits = 1,
		.key = hash_of(f, statement_hash)};
	for (uint32_t i = 0; i < f->nsides; i++)
		write_side(&f->side[i], &c->site[i]);
	if (f->kind != DH_CAND_DEADLOCK)
		describe_memory(f->side[0].address, c);
}

void dh_candidate_add(const struct dh_found *found)
{
	struct dh_sched_candidate *table = (void *)((char *)dh_ctl + dh_ctl->candidates_offset);
	struct dh_sched_result *result = &dh_ctl->result;
	uint64_t *v;

	if (found->kind != DH_CAND_DEADLOCK && dh_benign_has(found->side[0].address))
		return;
	v = dh_table_add(&by_statements, hash_of(found, as_it_is));
	if (*v) {
		table[*v - 1].hits++;
		if (found->score > table[*v - 1].score)
			table[*v - 1].score = found->score;
		return;
	}
	if (result->ncandidates >= dh_ctl->candidates_max) {
		result->lost_candidates++;
		return;
	}
	write_candidate(found, &table[result->ncandidates]);
	*v = ++result->ncandidates;
}
