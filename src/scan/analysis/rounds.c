/* Loops that count: `for (i = 0; i < 10; i++)` over a table of thread ids goes through ten of them.
 * Read off the statements; where they look otherwise, nothing is known. */
#include "scan/analysis/run.h"

static bool is_inside(const struct dh_scan_fn *p, uint32_t block, uint32_t header)
{
	uint32_t at = p->loop[block];

	for (uint32_t steps = 0; at && at != header + 1 && steps < 1000; steps++)
		at = p->parent[at - 1];
	return at == header + 1;
}

/* What the last assignment to the local in the block gives it; 0: there is none. */
static uint32_t last_value(const struct dh_scan_function *f, uint32_t block, uint32_t local)
{
	const struct dh_scan_block *b = &f->blocks[block];

	for (uint32_t i = b->first + b->n; i-- > b->first;)
		if (f->stmts[i].op == DH_SCAN_ASSIGN && f->stmts[i].addr == local)
			return f->stmts[i].value;
	return 0;
}

/* The number that the local has when the loop is entered. */
static bool find_first(struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t header,
	uint32_t local, int64_t *ret)
{
	const struct dh_scan_function *body = f->body;
	uint32_t value = 0, ways = 0;

	for (uint32_t i = 0; i < body->n_blocks; i++) {
		const struct dh_scan_block *b = &body->blocks[i];

		for (uint32_t e = 0; e < b->n_edges; e++)
			if (body->edges[b->edge + e].to == header &&
				!is_inside(f->prep, i, header)) {
				value = last_value(body, i, local);
				ways++;
			}
	}
	return ways == 1 && value && dh_scan_is_const(run->p, value, ret);
}

/* Whether all that the loop does to the local is to count it. */
static bool is_counted(
	struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t header, uint32_t local)
{
	const struct dh_scan_function *body = f->body;
	uint32_t next = dh_scan_binary(
		run->p, DH_SCAN_ADD, dh_scan_load(run->p, local), dh_scan_const(run->p, 1));
	bool counted = false;

	for (uint32_t i = 0; i < body->n_blocks; i++) {
		const struct dh_scan_block *b = &body->blocks[i];

		for (uint32_t k = b->first; is_inside(f->prep, i, header) && k < b->first + b->n;
			k++) {
			if (body->stmts[k].op != DH_SCAN_ASSIGN || body->stmts[k].addr != local)
				continue;
			if (body->stmts[k].value != next)
				return false;
			counted = true;
		}
	}
	return counted;
}

/* The first number for which the loop is not gone through any more. */
static bool find_end(struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t header,
	uint32_t local, int64_t *ret)
{
	const struct dh_scan_block *b = &f->body->blocks[header];
	const struct dh_scan_stmt *last = b->n ? &f->body->stmts[b->first + b->n - 1] : NULL;
	struct dh_scan_node n;

	if (!last || last->op != DH_SCAN_BRANCH)
		return false;
	n = *dh_scan_node(run->p, last->addr);
	if (n.op != DH_SCAN_COMPARE || n.a != dh_scan_load(run->p, local) ||
		!dh_scan_is_const(run->p, n.b, ret) || *ret == INT64_MAX)
		return false;
	*ret += n.sub == DH_SCAN_LE;
	return n.sub == DH_SCAN_LT || n.sub == DH_SCAN_LE || n.sub == DH_SCAN_NE;
}

struct dh_scan_rounds dh_scan_rounds_of(
	struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t stmt, uint32_t element)
{
	static const struct dh_scan_rounds unknown = {0};
	struct dh_scan_node n = *dh_scan_node(run->p, element);
	uint32_t loop = f->prep->loop[dh_scan_block_of(f->body, stmt)], local;
	struct dh_scan_rounds r = {.known = true};

	if (n.op != DH_SCAN_INDEX || !loop)
		return unknown;
	n = *dh_scan_node(run->p, n.b);
	local = n.op == DH_SCAN_LOAD ? n.a : 0;
	if (!local || dh_scan_node(run->p, local)->op != DH_SCAN_FRAME ||
		!find_first(run, f, loop - 1, local, &r.first) ||
		!find_end(run, f, loop - 1, local, &r.end) || !is_counted(run, f, loop - 1, local))
		return unknown;
	return r;
}

bool dh_scan_is_only_call(
	struct dh_scan_run *run, const struct dh_scan_frame *f, const struct dh_scan_rule *rule)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->body->n_stmts; i++) {
		uint32_t callee = f->body->stmts[i].op == DH_SCAN_CALLS
					  ? dh_scan_callee(run->p, &f->body->stmts[i])
					  : 0;

		n += callee && dh_scan_rule_of(run, callee) == rule;
	}
	return n == 1;
}
