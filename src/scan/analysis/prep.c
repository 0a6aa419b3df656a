/* What is known of a function before it is executed: the order of its blocks, its loops, which
 * rules it calls.  All iterative: a function may have any number of blocks. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/analysis/capability.h"
#include "scan/analysis/run.h"

/* Finding loops costs their sizes' sum; beyond this many steps the rest are plain blocks. */
#define LOOP_BUDGET 4000000

struct dfs {
	uint32_t block, edge;
};

static bool prefers_body(enum dh_scan_verb v)
{
	return v == DH_SV_EFFECT || v == DH_SV_CALLS || v == DH_SV_AT_EXIT || v == DH_SV_CHANNEL ||
	       v == DH_SV_SEND || v == DH_SV_RECEIVE || v == DH_SV_CLOSES || v == DH_SV_BLOCKS ||
	       v == DH_SV_FREE || v == DH_SV_ALLOC || v == DH_SV_ATOMIC;
}

/* A pattern of a kernel means what headers generate: trace_foo(), not a function that somebody
 * wrote with a name like that. */
static bool is_own(
	const struct dh_scan_run *run, const struct dh_scan_symbol *y, const struct dh_scan_rule *r)
{
	return strpbrk(r->name, "*?") && r->verb == DH_SV_EFFECT &&
	       !(run->p->functions[y->function]->flags & DH_SCAN_FN_SHARED);
}

const struct dh_scan_rule *dh_scan_rule_of(struct dh_scan_run *run, uint32_t symbol)
{
	const struct dh_scan_symbol *y = &run->p->symbols[symbol];

	if (run->rules_known[symbol])
		return run->rules[symbol];
	run->rules_known[symbol] = true;
	const struct dh_scan_rule *r =
		dh_scan_table_find(run->table, dh_scan_text(run->p, y->name));

	if (!r && y->pretty && y->pretty != y->name)
		r = dh_scan_table_find(run->table, dh_scan_text(run->p, y->pretty));
	/* A program's own function of that name says itself what it does. */
	if (r && y->function && prefers_body(r->verb) && (!run->kernel || is_own(run, y, r)))
		r = NULL;
	run->rules[symbol] = r ? r : dh_scan_said_rule(run, symbol);
	return run->rules[symbol];
}

/* Reverse postorder; back edges mark headers. */
static void order_blocks(const struct dh_scan_function *b, struct dh_scan_fn *f)
{
	struct dfs *stack = dh_new_n(struct dfs, b->n_blocks + 1);
	uint8_t *colour = dh_zalloc(b->n_blocks + 1);
	uint32_t n = 0, post = b->n_blocks;

	stack[n++] = (struct dfs){0, 0};
	colour[0] = 1;
	while (n) {
		struct dfs *d = &stack[n - 1];
		const struct dh_scan_block *k = &b->blocks[d->block];

		if (d->edge == k->n_edges) {
			colour[d->block] = 2;
			f->at[--post] = d->block;
			n--;
			continue;
		}
		uint32_t to = b->edges[k->edge + d->edge++].to;

		if (!colour[to]) {
			colour[to] = 1;
			stack[n++] = (struct dfs){to, 0};
		} else if (colour[to] == 1) {
			f->header[to] = true;
		}
	}
	f->n_order = b->n_blocks - post;
	memmove(f->at, f->at + post, f->n_order * sizeof(*f->at));
	for (uint32_t i = 0; i < f->n_order; i++)
		f->order[f->at[i]] = i;
	free(stack);
	free(colour);
}

struct preds {
	uint32_t *first, *list;
};

static struct preds predecessors(const struct dh_scan_function *b)
{
	struct preds p = {dh_zalloc((b->n_blocks + 2) * sizeof(uint32_t)),
		dh_new_n(uint32_t, b->n_edges + 1)};

	for (uint32_t i = 0; i < b->n_edges; i++)
		p.first[b->edges[i].to + 2]++;
	for (uint32_t i = 2; i < b->n_blocks + 2; i++)
		p.first[i] += p.first[i - 1];
	for (uint32_t i = 0; i < b->n_blocks; i++)
		for (uint32_t e = 0; e < b->blocks[i].n_edges; e++)
			p.list[p.first[b->edges[b->blocks[i].edge + e].to + 1]++] = i;
	return p;
}

/* The blocks of the natural loop of a header, into work; their number. */
static uint32_t loop_blocks(struct dh_scan_fn *f, const struct preds *p, uint32_t h, uint32_t *work,
	uint32_t *mark, uint32_t *budget)
{
	uint32_t n = 0;

	mark[h] = h + 1;
	work[n++] = h;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = work[i];

		for (uint32_t j = p->first[at]; j < p->first[at + 1] && *budget; j++, --*budget) {
			uint32_t from = p->list[j];

			/* Only what comes behind the header can be in its loop. */
			if (mark[from] == h + 1 || f->order[from] == UINT32_MAX ||
				f->order[from] < f->order[h])
				continue;
			mark[from] = h + 1;
			work[n++] = from;
		}
	}
	return n;
}

static uint32_t local_of(const struct dh_scan_run *run, uint32_t node)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, dh_scan_base(run->p, node));

	return n->op == DH_SCAN_FRAME ? n->a : UINT32_MAX;
}

static void note_stmt(struct dh_scan_run *run, const struct dh_scan_function *b,
	struct dh_scan_fn *f, uint32_t h, const struct dh_scan_stmt *s, bool *peel)
{
	uint32_t callee, local;

	if (s->op == DH_SCAN_ASSIGN || s->op == DH_SCAN_WRITE || s->op == DH_SCAN_UPDATE) {
		const struct dh_scan_node *n =
			dh_scan_node(run->p, dh_scan_object(run->p, s->addr));

		if (n->op == DH_SCAN_FRAME)
			f->assigned[h] |= dh_scan_local_bit(n->a);
		return;
	}
	if (s->op != DH_SCAN_CALLS || !(callee = dh_scan_callee(run->p, s)))
		return;
	const struct dh_scan_rule *r = dh_scan_rule_of(run, callee);

	if (!r)
		return;
	*peel |= r->verb == DH_SV_JOIN || r->verb == DH_SV_WAIT;
	if (r->verb == DH_SV_RELEASE && r->arg[0] && r->arg[0] <= s->n_args) {
		local = local_of(run, dh_scan_args(b, s)[r->arg[0] - 1]);
		if (local != UINT32_MAX)
			f->released[h] |= dh_scan_local_bit(local);
	}
}

static bool has_exit(const struct dh_scan_function *b, const uint32_t *mark, uint32_t h)
{
	for (uint32_t e = 0; e < b->blocks[h].n_edges; e++)
		if (mark[b->edges[b->blocks[h].edge + e].to] != h + 1)
			return true;
	return false;
}

static void describe_loop(struct dh_scan_run *run, const struct dh_scan_function *b,
	struct dh_scan_fn *f, uint32_t h, const uint32_t *work, uint32_t n, const uint32_t *mark)
{
	bool peel = false;

	f->parent[h] = f->loop[h];
	for (uint32_t i = 0; i < n; i++) {
		const struct dh_scan_block *k = &b->blocks[work[i]];

		/* Headers are visited outermost first, so that the innermost loop stays. */
		f->loop[work[i]] = h + 1;
		for (uint32_t j = 0; j < k->n; j++)
			note_stmt(run, b, f, h, &b->stmts[k->first + j], &peel);
	}
	if (peel && has_exit(b, mark, h)) {
		f->peeled[h] = f->n_nodes;
		f->original[f->n_nodes++] = h;
	}
}

static void find_loops(
	struct dh_scan_run *run, const struct dh_scan_function *b, struct dh_scan_fn *f)
{
	struct preds p = predecessors(b);
	uint32_t *work = dh_new_n(uint32_t, b->n_blocks + 1);
	uint32_t *mark = dh_zalloc((b->n_blocks + 1) * sizeof(*mark));
	uint32_t budget = LOOP_BUDGET;

	for (uint32_t i = 0; i < f->n_order && budget; i++) {
		uint32_t h = f->at[i];

		if (f->header[h])
			describe_loop(run, b, f, h, work,
				loop_blocks(f, &p, h, work, mark, &budget), mark);
	}
	free(p.first);
	free(p.list);
	free(work);
	free(mark);
}

static void *table_of(uint32_t n, size_t size)
{
	return dh_zalloc(((size_t)n + 1) * size);
}

static bool is_concurrent(enum dh_scan_verb v)
{
	return v >= DH_SV_ACQUIRE && v <= DH_SV_HANDLER && v != DH_SV_INIT && v != DH_SV_DESTROY;
}

static bool calls_verb(
	struct dh_scan_run *run, const struct dh_scan_function *b, enum dh_scan_verb verb)
{
	for (uint32_t i = 0; i < b->n_stmts; i++) {
		const struct dh_scan_stmt *s = &b->stmts[i];
		uint32_t callee = s->op == DH_SCAN_CALLS ? dh_scan_callee(run->p, s) : 0;
		const struct dh_scan_rule *r = callee ? dh_scan_rule_of(run, callee) : NULL;

		if (r && r->verb == verb)
			return true;
	}
	return false;
}

static bool locks_inside(struct dh_scan_run *run, const struct dh_scan_function *b)
{
	for (uint32_t i = 0; i < b->n_stmts; i++) {
		const struct dh_scan_stmt *s = &b->stmts[i];
		uint32_t callee = s->op == DH_SCAN_CALLS ? dh_scan_callee(run->p, s) : 0;
		const struct dh_scan_rule *r = callee ? dh_scan_rule_of(run, callee) : NULL;

		if ((r && is_concurrent(r->verb)) || s->flags & DH_SCAN_ATOMIC)
			return true;
	}
	return false;
}

/* The copies of headers come right before the headers. */
static void insert_peeled(struct dh_scan_fn *f, uint32_t n_blocks)
{
	uint32_t *at = table_of(f->n_nodes, sizeof(*at)), n = 0;

	for (uint32_t i = 0; i < f->n_order; i++) {
		if (f->peeled[f->at[i]])
			at[n++] = f->peeled[f->at[i]];
		at[n++] = f->at[i];
	}
	free(f->at);
	f->at = at;
	f->n_order = n;
	f->order = dh_reallocarray(f->order, (size_t)f->n_nodes + 1, sizeof(*f->order));
	for (uint32_t i = n_blocks; i < f->n_nodes; i++)
		f->order[i] = UINT32_MAX;
	for (uint32_t i = 0; i < n; i++)
		f->order[at[i]] = i;
}

const struct dh_scan_fn *dh_scan_prepare(struct dh_scan_run *run, uint32_t fn)
{
	struct dh_scan_fn *f = &run->fns[fn];
	const struct dh_scan_function *b = run->p->functions[fn];
	uint32_t n = b->n_blocks;

	if (f->ready)
		return f;
	f->ready = true;
	f->n_nodes = n;
	f->order = table_of(n, sizeof(*f->order));
	memset(f->order, 0xff, ((size_t)n + 1) * sizeof(*f->order));
	f->at = table_of(n, sizeof(*f->at));
	f->peeled = table_of(n, sizeof(*f->peeled));
	f->original = table_of(2 * n, sizeof(*f->original));
	f->loop = table_of(n, sizeof(*f->loop));
	f->header = table_of(n, sizeof(*f->header));
	f->parent = table_of(n, sizeof(*f->parent));
	f->assigned = table_of(n, sizeof(*f->assigned));
	f->released = table_of(n, sizeof(*f->released));
	for (uint32_t i = 0; i < n; i++)
		f->original[i] = i;
	if (n) {
		order_blocks(b, f);
		find_loops(run, b, f);
		insert_peeled(f, n);
	}
	f->locks_inside = locks_inside(run, b);
	f->releases = calls_verb(run, b, DH_SV_RELEASE);
	return f;
}

void dh_scan_fn_release(struct dh_scan_fn *f)
{
	free(f->order);
	free(f->at);
	free(f->peeled);
	free(f->original);
	free(f->loop);
	free(f->header);
	free(f->parent);
	free(f->assigned);
	free(f->released);
}

uint64_t dh_scan_write_bit(struct dh_scan_run *run, uint32_t addr)
{
	uint32_t field = dh_sym_last_field(run->p, addr);
	const struct dh_scan_node *n = dh_scan_node(run->p, dh_scan_object(run->p, addr));

	if (field)
		return UINT64_C(1) << (run->syms.same[field] * UINT32_C(2654435761) >> 26);
	if (n->op == DH_SCAN_GLOBAL)
		return UINT64_C(1) << ((n->a + 77) * UINT32_C(2654435761) >> 26);
	return 0;
}

static uint64_t own_writes(struct dh_scan_run *run, const struct dh_scan_function *b)
{
	uint64_t mask = 0;

	for (uint32_t i = 0; i < b->n_stmts; i++)
		if (b->stmts[i].op == DH_SCAN_WRITE || b->stmts[i].op == DH_SCAN_UPDATE)
			mask |= dh_scan_write_bit(run, b->stmts[i].addr);
	return mask;
}

void dh_scan_spread(struct dh_scan_run *run, bool *from,
	bool (*pass)(void *arg, uint32_t fn, const struct dh_scan_caller *to), void *arg)
{
	uint32_t n = run->p->n_functions, head = 0, count = 0;
	uint32_t *queue = dh_new_n(uint32_t, n + 1);

	for (uint32_t i = 1; i < n; i++)
		if (from[i])
			queue[count++ % (n + 1)] = i;
	while (head != count) {
		uint32_t i = queue[head++ % (n + 1)], n_callers;
		const struct dh_scan_caller *c =
			dh_scan_callers(run->links, run->p->functions[i]->symbol, &n_callers);

		from[i] = false;
		for (uint32_t j = 0; j < n_callers; j++) {
			uint32_t to = c[j].function;

			if (!pass(arg, i, &c[j]) || from[to])
				continue;
			queue[count++ % (n + 1)] = to;
			from[to] = true;
		}
	}
	free(queue);
}

static bool pass_writes(void *arg, uint32_t fn, const struct dh_scan_caller *to)
{
	struct dh_scan_run *run = arg;
	uint64_t before = run->writes[to->function];

	run->writes[to->function] |= run->writes[fn];
	return run->writes[to->function] != before;
}

void dh_scan_find_writes(struct dh_scan_run *run)
{
	uint32_t n = run->p->n_functions;
	bool *from = dh_zalloc(n + 1);

	for (uint32_t i = 1; i < n; i++) {
		run->writes[i] = own_writes(run, run->p->functions[i]);
		from[i] = true;
	}
	dh_scan_spread(run, from, pass_writes, run);
	free(from);
}
