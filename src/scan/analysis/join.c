/* Where paths meet: one state for both. */
#include <stdlib.h>

#include "base/alloc.h"
#include "model/lockset.h"
#include "scan/analysis/run.h"
#include "scan/analysis/state.h"
#include "scan/analysis/value.h"

/* Two values of one cell meet.  Values that are certain stay alternatives; others get a name. */
static uint32_t join_values(
	struct dh_scan_run *run, uint32_t a, uint32_t b, uint32_t fn, uint32_t block, uint32_t addr)
{
	uint32_t phi = dh_sym_get(&run->syms, DH_SYM_PHI, fn, block, addr);
	uint32_t both[2] = {a, b};

	if (a == b)
		return a;
	if (a == phi || b == phi) {
		dh_sym_bind(&run->syms, phi, a == phi ? b : a);
		return phi;
	}
	if (dh_scan_alternative(run, a) && dh_scan_alternative(run, b)) {
		uint32_t set = dh_sym_set(&run->syms, both, 2, phi);

		if (set)
			return set;
	}
	dh_sym_bind(&run->syms, phi, a);
	dh_sym_bind(&run->syms, phi, b);
	return phi;
}

static struct dh_scan_range hull(struct dh_scan_range a, struct dh_scan_range b)
{
	return (struct dh_scan_range){DH_MIN(a.lo, b.lo), DH_MAX(a.hi, b.hi), a.ne && b.ne};
}

static bool same_range(struct dh_scan_range a, struct dh_scan_range b)
{
	return a.lo == b.lo && a.hi == b.hi && a.ne == b.ne;
}

static struct dh_scan_range widen(struct dh_scan_range old, struct dh_scan_range now)
{
	if (now.lo < old.lo)
		now.lo = INT64_MIN;
	if (now.hi > old.hi)
		now.hi = INT64_MAX;
	return now;
}

/* A cell gets the name phi: what is known of both values is known of the name. */
static bool name_range(struct dh_scan_run *run, struct dh_scan_state *a,
	const struct dh_scan_state *old, const struct dh_scan_state *b, uint32_t va, uint32_t vb,
	uint32_t phi, bool wide)
{
	struct dh_scan_range ra = dh_scan_state_range(run, old, va);
	struct dh_scan_range r = hull(ra, dh_scan_state_range(run, b, vb));

	if (wide)
		r = widen(ra, r);
	if (same_range(r, dh_scan_state_range(run, a, phi)))
		return false;
	dh_scan_state_note(a, phi, r);
	return true;
}

static bool is_name_of(struct dh_scan_run *run, uint32_t node, uint32_t fn, uint32_t block)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, node);

	return y && y->kind == DH_SYM_PHI && y->fn == fn && y->at == block;
}

static bool join_known(struct dh_scan_run *run, struct dh_scan_state *a,
	const struct dh_scan_state *b, uint32_t fn, uint32_t block, bool wide)
{
	bool changed = false;

	for (uint32_t i = a->n_known; i-- > 0;) {
		struct dh_scan_known k = a->known[i];
		struct dh_scan_range r = hull(k.range, dh_scan_state_range(run, b, k.node));

		/* Names of this place are bound anew below. */
		if (is_name_of(run, k.node, fn, block))
			continue;
		if (same_range(r, k.range))
			continue;
		if (wide)
			r = widen(k.range, r);
		dh_scan_state_note(a, k.node, r);
		changed = true;
	}
	return changed;
}

static bool is_null(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t value)
{
	struct dh_scan_range r = dh_scan_state_range(run, s, value);

	return r.lo == 0 && r.hi == 0;
}

/* Whether the value is null, or leads to what the thread has for itself; of several, each does. */
static bool is_owned(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t value, uint32_t *symbol)
{
	uint32_t base = dh_scan_base(run->p, value);
	const struct dh_sym *y = dh_sym_of(&run->syms, base);

	if (y && y->kind == DH_SYM_SET && base == value) {
		for (uint32_t i = 0; i < y->n_values; i++)
			if (!is_owned(run, s, y->values[i], symbol))
				return false;
		return true;
	}
	if (!y || !y->taken || !dh_lockset_contains(run->sets, s->fresh, base))
		return is_null(run, s, value);
	*symbol = base;
	return true;
}

/* A cell gets a name: it is the thread's own if both values are. */
static bool name_owned(struct dh_scan_run *run, const struct dh_scan_state *a,
	const struct dh_scan_state *b, uint32_t va, uint32_t vb, uint32_t phi)
{
	uint32_t symbol = 0;

	if (va == vb || !is_owned(run, a, va, &symbol) || !is_owned(run, b, vb, &symbol) || !symbol)
		return false;
	dh_scan_own_as(run, symbol, phi);
	return true;
}

static bool join_cells(struct dh_scan_run *run, struct dh_scan_state *a,
	const struct dh_scan_state *b, uint32_t fn, uint32_t block, bool wide, uint32_t *owned)
{
	struct dh_scan_state old = *a;
	uint32_t k = 0, n = a->n_cells;
	bool changed = false;

	old.known = a->n_known ? dh_memdup(a->known, a->n_known * sizeof(*a->known)) : NULL;
	changed = join_known(run, a, b, fn, block, wide);
	for (uint32_t i = 0; i < n; i++) {
		struct dh_scan_cell c = a->cells[i];
		uint32_t vb = dh_scan_state_get(b, c.addr), v = c.value;

		if (vb != v)
			v = vb ? join_values(run, dh_scan_fold(run, &old, v),
					 dh_scan_fold(run, b, vb), fn, block, c.addr)
			       : 0;
		if (v && is_name_of(run, v, fn, block)) {
			changed |= name_range(run, a, &old, b, c.value, vb, v, wide);
			if (name_owned(run, &old, b, c.value, vb, v))
				*owned = dh_lockset_add(run->sets, *owned, v);
		}
		changed |= v != c.value;
		if (v)
			a->cells[k++] = (struct dh_scan_cell){c.addr, v};
	}
	a->n_cells = k;
	free(old.known);
	return changed;
}

/* Of two ways to hold a lock the shorter one is kept: it is easier to explain. */
static void join_held(struct dh_scan_state *a, const struct dh_scan_state *b)
{
	for (uint32_t i = 0; i < a->n_held; i++) {
		const struct dh_scan_held *h = dh_scan_state_held(b, a->held[i].lock);

		if (h && h->conds + 3 * h->calls < a->held[i].conds + 3 * a->held[i].calls)
			a->held[i] = *h;
	}
}

/* Symbols that are private on one side of a join only. */
struct lonely {
	uint32_t items[64], masks[64];
	bool mentioned[64]; /* by the other side */
	uint32_t n, all;    /* all masks together */
};

static void note_mention(struct dh_scan_run *run, struct lonely *l, uint32_t node)
{
	uint32_t mask = dh_scan_node(run->p, node)->mask;

	if (!(mask & l->all))
		return;
	for (uint32_t i = 0; i < l->n; i++)
		if (mask & l->masks[i] && !l->mentioned[i])
			l->mentioned[i] = dh_scan_contains(run->p, node, l->items[i]);
}

static void find_mentions(struct dh_scan_run *run, struct lonely *l, const struct dh_scan_state *s)
{
	for (uint32_t i = 0; i < s->n_cells; i++) {
		uint32_t value = s->cells[i].value;
		const struct dh_sym *y = dh_sym_of(&run->syms, dh_scan_base(run->p, value));

		note_mention(run, l, s->cells[i].addr);
		note_mention(run, l, value);
		for (uint32_t k = 0; y && y->kind == DH_SYM_SET && k < y->n_values; k++)
			note_mention(run, l, y->values[k]);
	}
}

static void find_lonely(struct dh_scan_run *run, struct lonely *l, uint32_t fresh, uint32_t other)
{
	size_t n;
	const uint32_t *items = dh_lockset_locks(run->sets, fresh, &n);

	l->n = l->all = 0;
	for (size_t i = 0; i < n && l->n < DH_ARRAY_SIZE(l->items); i++) {
		if (dh_lockset_contains(run->sets, other, items[i]))
			continue;
		l->mentioned[l->n] = false;
		l->masks[l->n] = dh_scan_node(run->p, items[i])->mask;
		l->all |= l->masks[l->n];
		l->items[l->n++] = items[i];
	}
}

/* What is private on one path and not there on the other is private. */
static uint32_t join_fresh(
	struct dh_scan_run *run, const struct dh_scan_state *a, const struct dh_scan_state *b)
{
	uint32_t both = dh_lockset_intersect(run->sets, a->fresh, b->fresh);
	const struct dh_scan_state *sides[2] = {a, b};
	struct lonely l;

	if (a->fresh == b->fresh)
		return both;
	for (int k = 0; k < 2; k++) {
		find_lonely(run, &l, sides[k]->fresh, sides[!k]->fresh);
		if (l.n)
			find_mentions(run, &l, sides[!k]);
		for (uint32_t i = 0; i < l.n; i++)
			if (!l.mentioned[i] || is_null(run, sides[!k], l.items[i]))
				both = dh_lockset_add(run->sets, both, l.items[i]);
	}
	return both;
}

bool dh_scan_state_join(struct dh_scan_run *run, struct dh_scan_state *a,
	const struct dh_scan_state *b, uint32_t fn, uint32_t block, bool wide)
{
	struct dh_scan_state was = *a;
	uint32_t fresh = join_fresh(run, a, b);
	bool changed = join_cells(run, a, b, fn, block, wide, &fresh);

	join_held(a, b);
	a->locks = dh_lockset_intersect(run->sets, a->locks, b->locks);
	a->live = dh_lockset_union(run->sets, a->live, b->live);
	a->joined = dh_lockset_intersect(run->sets, a->joined, b->joined);
	a->waited = dh_lockset_intersect(run->sets, a->waited, b->waited);
	a->signalled = dh_lockset_union(run->sets, a->signalled, b->signalled);
	a->fresh = fresh;
	a->shared = dh_lockset_union(run->sets, a->shared, b->shared);
	a->turns = dh_lockset_intersect(run->sets, a->turns, b->turns);
	a->concurrent |= b->concurrent;
	a->supposed &= b->supposed;
	return changed || a->supposed != was.supposed || a->turns != was.turns ||
	       !dh_scan_state_same_key(a, &was) || a->fresh != was.fresh ||
	       a->shared != was.shared || a->concurrent != was.concurrent;
}
