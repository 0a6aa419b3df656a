/* What a call gives back, under names that its caller can use. */
#include "scan/analysis/call.h"
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"

/* Names that only make sense inside the callee. */
static bool is_inner(struct dh_scan_run *run, uint32_t value, uint32_t fn)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, dh_scan_base(run->p, value));

	return y && (y->kind == DH_SYM_RESULT || y->kind == DH_SYM_PHI) && y->fn == fn;
}

/* A function of this size that may return null is an allocator; a larger one has other reasons. */
#define SMALL 24

/* Memory that the callee has just allocated, alone or beside null: `n ? malloc(n) : NULL`. */
static uint32_t fresh_memory(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t fn, uint32_t value)
{
	bool small = run->p->functions[fn]->n_stmts <= SMALL;
	const struct dh_sym *y = value ? dh_sym_of(&run->syms, value) : NULL;
	uint32_t found = 0;
	int64_t v;

	if (y && y->kind == DH_SYM_HEAP)
		return dh_lockset_contains(run->sets, s->fresh, value) ? value : 0;
	for (uint32_t i = 0; small && y && y->kind == DH_SYM_SET && i < y->n_values; i++) {
		uint32_t one = y->values[i];

		if (dh_scan_is_const(run->p, one, &v))
			continue;
		if (found || dh_sym_kind(&run->syms, one) != DH_SYM_HEAP ||
			!dh_lockset_contains(run->sets, s->fresh, one))
			return 0;
		found = one;
	}
	return found;
}

/* Blocks have their statements in order. */
static bool is_in_loop(const struct dh_scan_frame *f, uint32_t stmt)
{
	const struct dh_scan_block *b = f->body->blocks;
	uint32_t lo = 0, hi = f->body->n_blocks;

	while (hi - lo > 1) {
		uint32_t mid = (lo + hi) / 2;

		if (b[mid].first <= stmt)
			lo = mid;
		else
			hi = mid;
	}
	while (lo && stmt - b[lo].first >= b[lo].n)
		lo--; /* an empty one */
	return f->prep->loop[lo];
}

/* An allocation wrapper: each of its calls makes another kind of object. */
static uint32_t make_memory(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_state *s, uint32_t stmt, uint32_t value, uint32_t memory)
{
	uint32_t made = dh_scan_make(run, f, s, stmt, DH_SYM_HEAP);
	uint32_t both[2] = {dh_scan_const(run->p, 0), made};

	struct dh_sym *y = dh_sym_of(&run->syms, made);

	y->other = 0;
	y->many = y->many || run->fns[f->fn].repeated || dh_scan_is_many(run, f->thread) ||
		  is_in_loop(f, stmt);
	dh_scan_state_rename(run, s, memory, made);
	s->fresh = dh_lockset_add(run->sets, dh_lockset_remove(run->sets, s->fresh, memory), made);
	/* What the wrapper put into it is in this object. */
	for (uint32_t i = 0; i < s->n_cells; i++)
		if (dh_scan_base(run->p, s->cells[i].addr) == made)
			dh_scan_memory_add(run, s->cells[i].addr, s->cells[i].value);
	return value == memory ? made : dh_sym_set(&run->syms, both, 2, 0);
}

void dh_scan_take_result(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t fn, uint32_t value, struct dh_scan_range range)
{
	uint32_t cell = dh_scan_make(run, f, s, stmt, DH_SYM_RESULT);
	uint32_t memory = fresh_memory(run, s, fn, value);

	if (memory) {
		value = make_memory(run, f, s, stmt, value, memory);
	} else if (dh_sym_kind(&run->syms, value) == DH_SYM_SET &&
		   dh_sym_of(&run->syms, value)->other) {
		/* Each call chooses anew. */
		value = dh_sym_set(&run->syms, &value, 1, cell);
	} else if (value && is_inner(run, value, fn)) {
		dh_sym_bind(&run->syms, cell, value);
		dh_scan_state_rename(run, s, value, cell);
		dh_scan_own_as(run, value, cell);
		if (dh_lockset_contains(run->sets, s->fresh, value))
			s->fresh = dh_lockset_add(
				run->sets, dh_lockset_remove(run->sets, s->fresh, value), cell);
		value = 0;
	}
	if (range.lo == range.hi)
		value = dh_scan_const(run->p, range.lo);
	dh_scan_state_set(s, cell, value);
	if (!value)
		dh_scan_state_note(s, cell, range);
}
