#include "scan/analysis/reach.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/run.h"

static bool reaches(const struct dh_scan_reach *r, uint32_t base)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->bases[i] == base)
			return true;
	return false;
}

static void reach_value(struct dh_scan_run *run, struct dh_scan_reach *r, uint32_t value)
{
	uint32_t base = value ? dh_scan_base(run->p, value) : 0;
	const struct dh_sym *y = base ? dh_sym_of(&run->syms, base) : NULL;

	if (!y)
		return;
	if (y->kind == DH_SYM_SET) {
		for (uint32_t i = 0; i < y->n_values; i++)
			reach_value(run, r, y->values[i]);
		return;
	}
	if (!reaches(r, base) && r->n < DH_SCAN_MAX_REACH)
		r->bases[r->n++] = base;
}

void dh_scan_find_reach(struct dh_scan_run *run, const struct dh_scan_state *s,
	const uint32_t *values, uint32_t n, struct dh_scan_reach *r)
{
	uint32_t before;

	r->n = 0;
	for (uint32_t i = 0; i < n; i++)
		reach_value(run, r, values[i]);
	do {
		before = r->n;
		for (uint32_t i = 0; i < s->n_cells && r->n; i++)
			if (reaches(r, dh_scan_base(run->p, s->cells[i].addr)))
				reach_value(run, r, s->cells[i].value);
	} while (r->n != before);
}

uint32_t dh_scan_keep_fresh(
	struct dh_scan_run *run, uint32_t fresh, const struct dh_scan_reach *r, bool inside)
{
	size_t n;
	const uint32_t *items = dh_lockset_locks(run->sets, fresh, &n);
	uint32_t *list, k = 0, set;

	if (!n || !r->n)
		return inside ? DH_LOCKSET_EMPTY : fresh;
	list = dh_new_n(uint32_t, n + 1);
	for (size_t i = 0; i < n; i++)
		if (reaches(r, items[i]) == inside)
			list[k++] = items[i];
	set = dh_lockset_of(run->sets, list, k);
	free(list);
	return set;
}

static bool is_pointer_variable(const struct dh_scan_run *run, uint32_t addr)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, addr);
	uint32_t type;

	if (!y || y->kind != DH_SYM_FRAME || y->at >= run->p->functions[y->fn]->n_locals)
		return false;
	type = run->p->functions[y->fn]->locals[y->at].type;
	return run->p->types[type].kind == DH_SCAN_TYPE_POINTER;
}

/* The callee is not told what branches found out: a loop's name for a null pointer is null. */
static uint32_t told_value(
	struct dh_scan_run *run, const struct dh_scan_state *from, const struct dh_scan_cell *c)
{
	struct dh_scan_range r;

	if (dh_sym_kind(&run->syms, c->value) != DH_SYM_PHI || !is_pointer_variable(run, c->addr))
		return c->value;
	r = dh_scan_state_range(run, from, c->value);
	return r.lo == 0 && r.hi == 0 ? dh_scan_const(run->p, 0) : c->value;
}

void dh_scan_pass_reached(struct dh_scan_run *run, const struct dh_scan_state *from,
	const struct dh_scan_reach *r, struct dh_scan_state *to)
{
	for (uint32_t i = 0; i < from->n_cells && r->n; i++)
		if (reaches(r, dh_scan_base(run->p, from->cells[i].addr)))
			dh_scan_state_set(
				to, from->cells[i].addr, told_value(run, from, &from->cells[i]));
}

void dh_scan_pass_cells(struct dh_scan_run *run, const struct dh_scan_state *from,
	const uint32_t *values, uint32_t n, struct dh_scan_state *to)
{
	struct dh_scan_reach r;

	dh_scan_find_reach(run, from, values, n, &r);
	dh_scan_pass_reached(run, from, &r, to);
}

/* Bits of everything that the node loads. */
static uint64_t load_bits(struct dh_scan_run *run, uint32_t node)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, node);

	switch (n->op) {
	case DH_SCAN_LOAD:
		return dh_scan_write_bit(run, n->a) | load_bits(run, n->a);
	case DH_SCAN_FIELD:
	case DH_SCAN_OFFSET:
		return load_bits(run, n->a);
	case DH_SCAN_INDEX:
	case DH_SCAN_BINARY:
	case DH_SCAN_COMPARE:
		return load_bits(run, n->a) | load_bits(run, n->b);
	default:
		return 0;
	}
}

bool dh_scan_is_killed(void *arg, uint32_t node)
{
	const struct dh_scan_kill *k = arg;
	uint32_t base = dh_scan_base(k->run->p, node);
	const struct dh_sym *y = dh_sym_of(&k->run->syms, base);

	if (k->reach && y && reaches(k->reach, base) && dh_sym_is_placed(&k->run->syms, node) &&
		dh_scan_node(k->run->p, node)->op != DH_SCAN_COMPARE)
		return true;
	if (load_bits(k->run, node) & k->writes)
		return true;
	/* A local that nobody was told of keeps its value. */
	if (y && (y->kind == DH_SYM_FRAME || y->kind == DH_SYM_RESULT) &&
		dh_sym_is_placed(&k->run->syms, node))
		return false;
	return dh_scan_write_bit(k->run, node) & k->writes;
}
