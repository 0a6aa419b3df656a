/* Variables that never change: switches that the program was built with, states that nothing leads
 * to.  What stands behind a question for them is followed only if the answer allows it.  They are
 * numbers whose address nobody takes, so that all that is ever written to them is seen. */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"

struct search {
	struct dh_scan_run *run;
	bool *changes; /* by symbol */
	bool *seen;    /* by node */
	uint32_t n;    /* nodes when it began */
};

/* The variable is used in a way that may change it. */
static void give_up(struct search *s, uint32_t global)
{
	s->changes[dh_scan_node(s->run->p, global)->a] = true;
}

/* Whoever names a variable without loading it has its address. */
static void visit(struct search *s, uint32_t node)
{
	struct dh_scan_node n = *dh_scan_node(s->run->p, node);

	if (node >= s->n || s->seen[node])
		return;
	s->seen[node] = true;
	switch (n.op) {
	case DH_SCAN_GLOBAL:
		give_up(s, node);
		return;
	case DH_SCAN_LOAD:
		if (dh_scan_node(s->run->p, n.a)->op != DH_SCAN_GLOBAL)
			visit(s, n.a);
		return;
	case DH_SCAN_FIELD:
		visit(s, n.a);
		return;
	case DH_SCAN_INDEX:
	case DH_SCAN_OFFSET:
	case DH_SCAN_BINARY:
	case DH_SCAN_COMPARE:
		visit(s, n.a);
		visit(s, n.b);
		return;
	default:
		return;
	}
}

/* What the variable contains in the beginning; false: it is not a number, or not known. */
static bool initial(struct dh_scan_run *run, uint32_t global, int64_t *ret)
{
	const struct dh_scan_symbol *y = &run->p->symbols[dh_scan_node(run->p, global)->a];
	uint64_t value;

	if (!(y->flags & DH_SCAN_SYM_DEFINED) || y->flags & DH_SCAN_SYM_FUNCTION ||
		run->p->types[y->type].kind != DH_SCAN_TYPE_INT || run->p->types[y->type].size > 8)
		return false;
	*ret = 0;
	if (dh_map_get(&run->initial, global, &value))
		*ret = (int64_t)value;
	return true;
}

static void visit_stmt(
	struct search *s, const struct dh_scan_function *f, const struct dh_scan_stmt *st)
{
	struct dh_scan_run *run = s->run;
	bool access = st->op == DH_SCAN_READ || st->op == DH_SCAN_WRITE || st->op == DH_SCAN_UPDATE;
	int64_t first, v;

	if (!access || dh_scan_node(run->p, st->addr)->op != DH_SCAN_GLOBAL)
		visit(s, st->addr);
	else if (st->flags & (DH_SCAN_VOLATILE | DH_SCAN_ATOMIC | DH_SCAN_WHOLE) ||
		 (st->op != DH_SCAN_READ &&
			 !(st->op == DH_SCAN_WRITE && dh_scan_is_const(run->p, st->value, &v) &&
				 initial(run, st->addr, &first) && v == first)))
		give_up(s, st->addr);
	if (st->op != DH_SCAN_CALLS)
		visit(s, st->value);
	for (uint32_t i = 0; st->op == DH_SCAN_CALLS && i < st->n_args; i++)
		visit(s, dh_scan_args(f, st)[i]);
}

void dh_scan_find_constants(struct dh_scan_run *run)
{
	struct dh_scan_program *p = run->p;
	struct search s = {run, dh_zalloc(p->n_symbols + 1), dh_zalloc(p->n_nodes + 1), p->n_nodes};
	uint32_t main = dh_scan_symbol_find(p, "main");
	int64_t v;

	if (run->kernel || !main || !p->symbols[main].function)
		goto out;
	for (uint32_t i = 0; i < p->n_inits; i++)
		visit(&s, p->inits[i].value);
	for (uint32_t i = 1; i < p->n_functions; i++)
		for (uint32_t j = 0; j < p->functions[i]->n_stmts; j++)
			visit_stmt(&s, p->functions[i], &p->functions[i]->stmts[j]);
	for (uint32_t i = 1; i < p->n_symbols; i++)
		if (!s.changes[i] && initial(run, dh_scan_global(p, i), &v))
			dh_map_set(&run->constants, dh_scan_global(p, i), dh_scan_const(p, v));
out:
	free(s.changes);
	free(s.seen);
}

uint32_t dh_scan_constant(struct dh_scan_run *run, uint32_t addr)
{
	uint64_t value = 0;

	if (dh_scan_node(run->p, addr)->op == DH_SCAN_GLOBAL)
		dh_map_get(&run->constants, addr, &value);
	return (uint32_t)value;
}

void dh_scan_begin_program(struct dh_scan_run *run, struct dh_scan_state *s)
{
	int64_t v;

	dh_map_foreach (slot, &run->modes) {
		uint32_t addr = (uint32_t)slot->key;

		if (slot->value && dh_scan_node(run->p, addr)->op == DH_SCAN_GLOBAL &&
			initial(run, addr, &v))
			dh_scan_state_set(s, addr, dh_scan_const(run->p, v));
	}
}
