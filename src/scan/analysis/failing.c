/* Calls that can fail, and whose result the function asks for at once: `if (pthread_create(...))
 * goto out;`.  The way on which it failed is followed where it leaves, so that it is not one more
 * for each such call. */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/call.h"
#include "scan/analysis/rule.h"

/* Whether the value is the result of the call, or a local that the block has put it into. */
static bool is_result(struct dh_scan_run *run, const struct dh_scan_function *f,
	const struct dh_scan_block *b, uint32_t stmt, uint32_t value)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, value);
	uint32_t local = n->op == DH_SCAN_LOAD ? n->a : 0, result = dh_scan_call(run->p, stmt);

	if (value == result)
		return true;
	for (uint32_t i = stmt; local && i < b->first + b->n; i++)
		if (f->stmts[i].op == DH_SCAN_ASSIGN && f->stmts[i].addr == local)
			return f->stmts[i].value == result;
	return false;
}

/* Whether the comparison is true for 0, which says that all went well. */
static bool holds_for_zero(uint8_t comparison, int64_t with)
{
	switch (comparison) {
	case DH_SCAN_EQ:
		return with == 0;
	case DH_SCAN_NE:
		return with != 0;
	case DH_SCAN_LT:
		return 0 < with;
	case DH_SCAN_LE:
		return 0 <= with;
	case DH_SCAN_GT:
		return 0 > with;
	default:
		return 0 >= with;
	}
}

/* Where the block goes when the call went well, and when it failed; false: it does not ask. */
static bool find_ways(struct dh_scan_run *run, const struct dh_scan_function *f,
	const struct dh_scan_block *b, uint32_t stmt, uint32_t *ret_well, uint32_t *ret_failed)
{
	const struct dh_scan_stmt *last = &f->stmts[b->first + b->n - 1];
	struct dh_scan_node n = *dh_scan_node(run->p, last->op == DH_SCAN_BRANCH ? last->addr : 0);
	int64_t with = 0;
	bool well = false;

	if (n.op == DH_SCAN_COMPARE && dh_scan_is_const(run->p, n.b, &with) &&
		is_result(run, f, b, stmt, n.a))
		well = holds_for_zero(n.sub, with);
	else if (!n.op || !is_result(run, f, b, stmt, last->addr))
		return false;
	for (uint32_t e = 0; e < b->n_edges; e++) {
		bool yes = f->edges[b->edge + e].kind == DH_SCAN_EDGE_TRUE;

		*(yes == well ? ret_well : ret_failed) = f->edges[b->edge + e].to;
	}
	return b->n_edges == 2;
}

/* Whether a way leads from one block to the other. */
static bool leads_to(const struct dh_scan_function *f, uint32_t from, uint32_t to)
{
	uint32_t *todo = dh_new_n(uint32_t, f->n_blocks + 1), n = 0;
	bool *seen = dh_zalloc(f->n_blocks + 1), found = false;

	todo[n++] = from;
	seen[from] = true;
	while (n && !found) {
		const struct dh_scan_block *b = &f->blocks[todo[--n]];

		found = b == &f->blocks[to];
		for (uint32_t e = 0; e < b->n_edges; e++) {
			uint32_t next = f->edges[b->edge + e].to;

			if (!seen[next])
				todo[n++] = next;
			seen[next] = true;
		}
	}
	free(todo);
	free(seen);
	return found;
}

bool dh_rule_may_fail(const struct dh_rule_call *c)
{
	const struct dh_scan_function *f = c->f->body;
	const struct dh_scan_block *b = &f->blocks[dh_scan_block_of(f, c->stmt)];
	uint32_t well = 0, failed = 0;

	return find_ways(c->run, f, b, c->stmt, &well, &failed) && !leads_to(f, failed, well);
}

void dh_rule_fail(struct dh_rule_call *c, struct dh_scan_state *s)
{
	static const struct dh_scan_range other = {INT64_MIN, INT64_MAX, true};
	uint32_t cell = dh_scan_make(c->run, c->f, s, c->stmt, DH_SYM_RESULT);

	dh_scan_state_forget(s, cell);
	dh_scan_state_note(s, cell, other);
	dh_scan_fork(c->run, c->f, c->it, s);
}
