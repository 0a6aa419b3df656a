/* The ends of blocks: which edges can be taken, and what loops do to names. */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"

/* Whether the block belongs to the loop of the header. */
static bool in_loop(const struct dh_scan_fn *p, uint32_t block, uint32_t header)
{
	uint32_t at = p->loop[block], steps = 0;

	while (at && at != header + 1 && steps++ < 1000)
		at = p->parent[at - 1];
	return at == header + 1;
}

static bool has_bit(uint64_t mask, uint32_t local)
{
	return mask & dh_scan_local_bit(local);
}

/* Names that a round of a loop gives anew. */
static bool is_of_round(struct dh_scan_run *run, uint32_t value)
{
	enum dh_sym_kind k = dh_sym_kind(&run->syms, dh_scan_base(run->p, value));

	return k == DH_SYM_RESULT || k == DH_SYM_PHI || k == DH_SYM_OLD;
}

/* The cell of a variable that the loop changes gets the loop's name for it. */
static void name_cell(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t header, uint32_t addr, bool back, bool released)
{
	uint32_t value = dh_scan_state_get(s, addr);
	uint32_t phi = dh_sym_get(&run->syms, DH_SYM_PHI, f->fn, header, addr);
	struct dh_scan_range range = dh_scan_state_range(run, s, value);

	if (!value || value == phi ||
		(dh_scan_alternative(run, value) && range.lo != range.hi && !released))
		return;
	dh_sym_bind(&run->syms, phi, value);
	if (back) {
		uint32_t old =
			dh_sym_get(&run->syms, DH_SYM_OLD, 0, 0, dh_scan_node(run->p, phi)->a);

		dh_scan_state_rename(run, s, phi, old);
		value = dh_scan_state_get(s, addr);
	}
	if (value && (back ? is_of_round(run, value) : released))
		dh_scan_state_rename(run, s, value, phi);
	dh_scan_state_set(s, addr, phi);
	dh_scan_state_note(s, phi, range);
}

static void begin_round(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t header, bool back)
{
	uint64_t assigned = f->prep->assigned[header], released = f->prep->released[header];
	uint32_t n = 0, *addrs;
	uint64_t *bits;

	if (!assigned || !s->n_cells)
		return;
	addrs = dh_new_n(uint32_t, s->n_cells);
	bits = dh_new_n(uint64_t, s->n_cells);
	for (uint32_t i = 0; i < s->n_cells; i++) {
		const struct dh_sym *y =
			dh_sym_of(&run->syms, dh_scan_object(run->p, s->cells[i].addr));

		if (y && y->kind == DH_SYM_FRAME && y->fn == f->fn && has_bit(assigned, y->at)) {
			bits[n] = dh_scan_local_bit(y->at);
			addrs[n++] = s->cells[i].addr;
		}
	}
	for (uint32_t i = 0; i < n; i++)
		name_cell(run, f, s, header, addrs[i], back, released & bits[i]);
	free(addrs);
	free(bits);
}

static void follow(struct dh_scan_run *run, struct dh_scan_frame *f, uint32_t from, uint32_t to,
	struct dh_scan_state *s)
{
	const struct dh_scan_fn *p = f->prep;
	uint32_t block = p->original[from], node = to;
	bool copy = from >= f->body->n_blocks;

	/* The copy of a header stands for the first look at its condition: the loop is entered. */
	if (copy && !in_loop(p, to, block)) {
		dh_scan_state_release(s);
		return;
	}
	if (p->header[to]) {
		bool back = p->order[to] <= p->order[from];

		begin_round(run, f, s, to, back);
		if (!back && p->peeled[to])
			node = p->peeled[to];
	}
	dh_scan_go(run, f, from, node, s);
}

static void count_condition(struct dh_scan_state *s)
{
	for (uint32_t i = 0; i < s->n_held; i++)
		s->held[i].conds++;
}

static bool can_default(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_block *b, struct dh_scan_state *s, uint32_t value)
{
	for (uint32_t e = 0; e < b->n_edges; e++) {
		const struct dh_scan_edge *edge = &f->body->edges[b->edge + e];

		if (edge->kind == DH_SCAN_EDGE_CASE &&
			!dh_scan_state_assume(run, s,
				dh_scan_compare(run->p, DH_SCAN_EQ, value, edge->value), false))
			return false;
	}
	return true;
}

static bool can_take(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_block *b, const struct dh_scan_edge *e, struct dh_scan_state *s,
	uint32_t value)
{
	switch (e->kind) {
	case DH_SCAN_EDGE_TRUE:
	case DH_SCAN_EDGE_FALSE:
		count_condition(s);
		if (!dh_scan_state_assume(run, s, value, e->kind == DH_SCAN_EDGE_TRUE))
			return false;
		dh_scan_atomic_learn(run, f, s, value);
		return true;
	case DH_SCAN_EDGE_CASE:
		count_condition(s);
		if (!dh_scan_state_assume(
			    run, s, dh_scan_compare(run->p, DH_SCAN_EQ, value, e->value), true))
			return false;
		dh_scan_atomic_learn(run, f, s, value);
		return true;
	case DH_SCAN_EDGE_DEFAULT:
		count_condition(s);
		return can_default(run, f, b, s, value);
	case DH_SCAN_EDGE_UNWIND: /* the call itself has taken it */
		return false;
	default:
		return true;
	}
}

void dh_scan_throw(struct dh_scan_run *run, struct dh_scan_frame *f, const struct dh_scan_item *it,
	uint32_t stmt, struct dh_scan_state *s)
{
	const struct dh_scan_block *b = &f->body->blocks[f->prep->original[it->node]];

	for (uint32_t e = 0; f->body->stmts[stmt].flags & DH_SCAN_INVOKE && e < b->n_edges; e++) {
		const struct dh_scan_edge *edge = &f->body->edges[b->edge + e];

		if (edge->kind == DH_SCAN_EDGE_UNWIND) {
			follow(run, f, it->node, edge->to, s);
			return;
		}
	}
	if (!s->supposed) {
		dh_scan_add_exit(run, f, s, 0, DH_WAY_THROW);
		return;
	}
	run->contexts[f->context].may_throw = true;
	dh_scan_state_release(s);
}

void dh_scan_suppose_throw(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_item *it, uint32_t stmt, const struct dh_scan_state *s)
{
	struct dh_scan_state copy;

	if (!(f->body->stmts[stmt].flags & DH_SCAN_INVOKE))
		return;
	dh_scan_state_copy(&copy, s);
	copy.supposed = true;
	dh_scan_throw(run, f, it, stmt, &copy);
}

void dh_scan_leave(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it)
{
	const struct dh_scan_block *b = &f->body->blocks[f->prep->original[it->node]];
	const struct dh_scan_stmt *last = b->n ? &f->body->stmts[b->first + b->n - 1] : NULL;
	uint32_t value = 0;

	if (last && (last->op == DH_SCAN_BRANCH || last->op == DH_SCAN_SWITCH))
		value = dh_scan_eval(run, f, &it->state, last->addr);
	for (uint32_t e = 0; e < b->n_edges; e++) {
		const struct dh_scan_edge *edge = &f->body->edges[b->edge + e];
		struct dh_scan_state s = it->state;

		/* The last way takes the state over. */
		if (e + 1 == b->n_edges)
			it->state = (struct dh_scan_state){0};
		else
			dh_scan_state_copy(&s, &it->state);
		if (can_take(run, f, b, edge, &s, value))
			follow(run, f, it->node, edge->to, &s);
		else
			dh_scan_state_release(&s);
	}
}
