/* What a callee is told of its caller.  A function that is called in few ways is executed for each
 * of them exactly; one that is called everywhere is told less, so that one execution serves many
 * callers: first constants and symbolic values become the callee's own names for its parameters,
 * then whole objects, and in a kernel also locks that the callee cannot name.  What comes back is
 * translated again. */
#include "scan/analysis/call.h"
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"

/* Ways to enter a function before it is told less; functions that may be entered less often are
 * told less earlier. */
#define EXACT  8
#define COARSE 24

static int level_of(struct dh_scan_run *run, uint32_t fn)
{
	uint32_t n = run->fns[fn].n_contexts, most = dh_scan_entries(run, fn);

	if (n >= most - most / 4)
		return 3;
	return run->kernel || n >= DH_MIN(COARSE, most / 2) ? 2
	       : n >= DH_MIN(EXACT, most / 4)               ? 1
							    : 0;
}

static bool is_function(const struct dh_scan_run *run, uint32_t node)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, node);

	return n->op == DH_SCAN_GLOBAL && run->p->symbols[n->a].flags & DH_SCAN_SYM_FUNCTION;
}

static bool is_kept(struct dh_scan_run *run, uint32_t fn, uint32_t value, int level)
{
	uint32_t base = dh_scan_base(run->p, value);
	const struct dh_sym *y = dh_sym_of(&run->syms, base);
	int64_t v;

	/* What a function that locks is to do often comes as a number. */
	if (dh_scan_is_const(run->p, value, &v))
		return level == 1 || run->fns[fn].locks_inside ? v >= -1 && v <= 16
							       : v == 0 || v == 1;
	if (is_function(run, value))
		return true;
	if (level > 2 || !dh_sym_is_placed(&run->syms, value))
		return false;
	if (!y)
		return dh_scan_node(run->p, base)->op == DH_SCAN_GLOBAL;
	return level == 1 &&
	       (y->kind == DH_SYM_HEAP || y->kind == DH_SYM_FRAME || y->kind == DH_SYM_OWN);
}

static uint32_t param_of(struct dh_scan_run *run, uint32_t fn, uint32_t n)
{
	return dh_sym_get(&run->syms, DH_SYM_PARAM, fn, n, 0);
}

/* The parameter stands for memory that only the caller knows, or for a part of it. */
static void hide_fresh(
	struct dh_scan_run *run, struct dh_scan_state *e, uint32_t value, uint32_t param)
{
	uint32_t base = dh_scan_base(run->p, value);

	if (!dh_scan_is_fresh(run, e, value))
		return;
	if (base == value)
		e->fresh = dh_lockset_remove(run->sets, e->fresh, value);
	e->fresh = dh_lockset_add(run->sets, e->fresh, param);
	dh_scan_own_as(run, base, param);
}

/* ... and is still that, unless the callee told others. */
static void show_fresh(struct dh_scan_run *run, struct dh_scan_state *s,
	const struct dh_scan_state *entry, uint32_t param, uint32_t value)
{
	uint32_t base = dh_scan_base(run->p, value);

	if (!dh_lockset_contains(run->sets, entry->fresh, param))
		return;
	if (dh_lockset_contains(run->sets, s->fresh, param))
		s->fresh = dh_lockset_add(
			run->sets, dh_lockset_remove(run->sets, s->fresh, param), base);
	else
		s->fresh = dh_lockset_remove(run->sets, s->fresh, base);
}

/* A lock of the caller that the callee fn has no name for: only its kind matters.  0: it has. */
static uint32_t outer_of(struct dh_scan_run *run, uint32_t lock, uint32_t fn)
{
	uint32_t node = run->locks[lock].node, field = dh_sym_last_field(run->p, node);
	const struct dh_sym *y = dh_sym_of(&run->syms, dh_scan_base(run->p, node));

	if (!field || !y || dh_sym_is_concrete(&run->syms, node) || y->kind == DH_SYM_OUTER ||
		(y->kind == DH_SYM_PARAM && y->fn == fn))
		return 0;
	return dh_scan_field_kind(run, field);
}

uint32_t dh_scan_outer_locks(struct dh_scan_run *run, const struct dh_scan_state *s)
{
	uint32_t set = DH_LOCKSET_EMPTY;

	for (uint32_t i = 0; i < s->n_held; i++) {
		struct dh_scan_lock l = run->locks[s->held[i].lock];
		uint32_t node = outer_of(run, s->held[i].lock, 0);

		if (!node && dh_sym_is_concrete(&run->syms, l.node))
			node = l.node;
		if (node)
			set = dh_lockset_add(
				run->sets, set, dh_scan_lock_get(run, node, l.read, l.words));
	}
	return set;
}

static void hide_locks(struct dh_scan_run *run, struct dh_scan_state *e, uint32_t fn)
{
	for (uint32_t i = 0; i < e->n_held; i++) {
		uint32_t to = outer_of(run, e->held[i].lock, fn);

		if (to)
			dh_scan_state_rename(run, e, run->locks[e->held[i].lock].node, to);
	}
}

bool dh_scan_is_told_cells(struct dh_scan_run *run, uint32_t fn)
{
	return level_of(run, fn) < 2;
}

void dh_scan_abstract(struct dh_scan_run *run, uint32_t fn, struct dh_scan_state *e, uint32_t *args,
	uint32_t n_args)
{
	int level = level_of(run, fn);

	if (!level)
		return;
	for (uint32_t i = 0; i < n_args; i++) {
		uint32_t value = args[i], param = param_of(run, fn, i);
		int64_t v;

		if (!value || value == param || is_kept(run, fn, value, level))
			continue;
		args[i] = 0;
		if (dh_scan_is_const(run->p, value, &v))
			continue;
		dh_sym_bind(&run->syms, param, value);
		hide_fresh(run, e, value, param);
		dh_scan_state_rename(run, e, value, param);
	}
	if (run->kernel)
		hide_locks(run, e, fn);
}

/* The locks of the caller get their names back, as many as went by one name. */
static void show_locks(struct dh_scan_run *run, struct dh_scan_state *s,
	const struct dh_scan_state *was, uint32_t fn)
{
	uint32_t hidden[DH_SCAN_MAX_HELD], n = 0;

	for (uint32_t i = 0; i < was->n_held; i++) {
		uint32_t to = outer_of(run, was->held[i].lock, fn);
		uint32_t lock = to ? dh_scan_lock_held(run, s, to) : 0;

		if (!lock)
			continue;
		s->locks = dh_lockset_add(run->sets, s->locks, was->held[i].lock);
		hidden[n++] = lock;
	}
	for (uint32_t i = 0; i < n; i++) {
		/* The caller may have it from its own callers. */
		if (dh_lockset_contains(run->sets, was->locks, hidden[i]))
			continue;
		s->locks = dh_lockset_remove(run->sets, s->locks, hidden[i]);
		dh_scan_state_drop(s, hidden[i]);
	}
}

void dh_scan_concrete(struct dh_scan_run *run, uint32_t context, struct dh_scan_state *s,
	const struct dh_scan_state *was, const uint32_t *args, uint32_t n_args)
{
	uint32_t fn = run->contexts[context].fn;

	for (uint32_t i = 0; i < n_args && i < run->contexts[context].n_args; i++) {
		uint32_t param = param_of(run, fn, i);

		if (!args[i] || run->contexts[context].args[i] || args[i] == param)
			continue;
		dh_scan_state_rename(run, s, param, args[i]);
		show_fresh(run, s, &run->contexts[context].entry, param, args[i]);
	}
	if (run->kernel)
		show_locks(run, s, was, fn);
}
