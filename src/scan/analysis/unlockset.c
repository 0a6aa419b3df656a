/* Unlockset analysis (RacerX 6.5): a lock that nothing behind a place can release was hardly held
 * there; more likely the analysis lost its way.  First, upwards from callees to callers: which
 * kinds of locks a function releases.  Then for each lock order: is there a release of its first
 * lock behind the second acquisition, or behind one of the calls that led there?  Asked for one
 * kind at one place, the answer is found in the nearest blocks, and kept. */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/find.h"
#include "scan/analysis/rule.h"
#include "scan/analysis/run.h"

/* A release of who knows which lock. */
#define ANY UINT32_C(1)

struct unlocks {
	struct dh_scan_run *run;
	struct dh_map kinds; /* kind -> its bit */
	uint32_t n_kinds;
	size_t words;        /* of a row */
	uint64_t *whole;     /* function -> row: kinds that it or a callee releases */
	struct dh_map known; /* place and kind -> whether it is released behind it */
	uint32_t *todo;      /* blocks to look at */
	uint32_t cap_todo;
	uint32_t *seen; /* block -> number of the question that came there */
	uint32_t cap_seen, question;
};

static uint32_t kind_of(struct dh_scan_run *run, uint32_t node)
{
	uint32_t kind = dh_scan_lock_kind(run, node);

	return kind ? kind : ANY;
}

/* What the statement does to a lock by a rule: *ret_kind, and whether it acquires (1), releases
 * (-1) or neither (0). */
static int lock_step(struct dh_scan_run *run, const struct dh_scan_function *f,
	const struct dh_scan_stmt *s, uint32_t *ret_kind)
{
	uint32_t callee = s->op == DH_SCAN_CALLS ? dh_scan_callee(run->p, s) : 0;
	const struct dh_scan_rule *r = callee ? dh_scan_rule_of(run, callee) : NULL;

	if (!r)
		return 0;
	*ret_kind = ANY;
	if (r->lock)
		*ret_kind = dh_rule_named_lock(run, r->lock);
	else if (r->n_args && r->arg[0] && r->arg[0] <= s->n_args &&
		 dh_scan_args(f, s)[r->arg[0] - 1])
		*ret_kind = kind_of(run, dh_scan_args(f, s)[r->arg[0] - 1]);
	switch (r->verb) {
	case DH_SV_ACQUIRE:
	case DH_SV_SEM_WAIT:
		return 1;
	case DH_SV_RELEASE:
	case DH_SV_SEM_POST:
		return -1;
	case DH_SV_UNGUARD:
	case DH_SV_UNLOCK:
		*ret_kind = ANY;
		return -1;
	default:
		return 0;
	}
}

static uint64_t *row_of(const struct unlocks *u, uint32_t fn)
{
	return u->whole + u->words * fn;
}

static void number_kinds(struct unlocks *u)
{
	const struct dh_scan_program *p = u->run->p;
	uint32_t kind;

	dh_map_set(&u->kinds, ANY, u->n_kinds++);
	for (uint32_t i = 1; i < p->n_functions; i++) {
		const struct dh_scan_function *f = p->functions[i];

		for (uint32_t k = 0; k < f->n_stmts; k++)
			if (lock_step(u->run, f, &f->stmts[k], &kind) < 0 &&
				!dh_map_get(&u->kinds, kind, NULL))
				dh_map_set(&u->kinds, kind, u->n_kinds++);
	}
	u->words = u->n_kinds / 64 + 1;
	u->whole = dh_zalloc(u->words * (p->n_functions + 1) * sizeof(*u->whole));
}

/* Whether the function releases locks itself. */
static bool own_releases(struct unlocks *u, uint32_t fn)
{
	const struct dh_scan_function *f = u->run->p->functions[fn];
	bool any = false;
	uint64_t bit;
	uint32_t kind;

	for (uint32_t i = 0; i < f->n_stmts; i++)
		if (lock_step(u->run, f, &f->stmts[i], &kind) < 0 &&
			dh_map_get(&u->kinds, kind, &bit)) {
			row_of(u, fn)[bit / 64] |= UINT64_C(1) << (bit % 64);
			any = true;
		}
	return any;
}

/* Whether the function releases kinds that are not in the other's row yet. */
static bool has_more(const struct unlocks *u, uint32_t fn, uint32_t than)
{
	const uint64_t *a = row_of(u, fn), *b = row_of(u, than);

	for (size_t i = 0; i < u->words; i++)
		if (a[i] & ~b[i])
			return true;
	return false;
}

static void join_rows(const struct unlocks *u, uint32_t to, uint32_t from)
{
	uint64_t *a = row_of(u, to);
	const uint64_t *b = row_of(u, from);

	for (size_t i = 0; i < u->words; i++)
		a[i] |= b[i];
}

/* A call that is followed: of what may be too many functions nothing is believed. */
static bool is_followed(struct dh_scan_run *run, const struct dh_scan_caller *c)
{
	return dh_scan_targets(run->links, c->function, c->stmt).n <= run->limits.targets;
}

static bool pass_releases(void *arg, uint32_t fn, const struct dh_scan_caller *to)
{
	struct unlocks *u = arg;

	if (!has_more(u, fn, to->function) || !is_followed(u->run, to))
		return false;
	join_rows(u, to->function, fn);
	return true;
}

/* Up from callees to callers until nothing changes. */
static void find_whole(struct unlocks *u)
{
	uint32_t n = u->run->p->n_functions;
	bool *from = dh_zalloc(n + 1);

	for (uint32_t i = 1; i < n; i++)
		from[i] = own_releases(u, i);
	dh_scan_spread(u->run, from, pass_releases, u);
	free(from);
}

static bool has_kind(const struct unlocks *u, uint32_t fn, uint32_t kind)
{
	uint64_t bit;

	return dh_map_get(&u->kinds, kind, &bit) && row_of(u, fn)[bit / 64] >> (bit % 64) & 1;
}

/* What the statement does to locks of the kind: 1 releases one, -1 takes one, 0 nothing. */
static int effect(struct unlocks *u, uint32_t fn, uint32_t no, uint32_t kind)
{
	struct dh_scan_run *run = u->run;
	const struct dh_scan_function *f = run->p->functions[fn];
	struct dh_scan_targets t;
	uint32_t which;

	if (f->stmts[no].op != DH_SCAN_CALLS)
		return 0;
	switch (lock_step(run, f, &f->stmts[no], &which)) {
	case 1:
		return which == kind ? -1 : 0;
	case -1:
		return which == kind || which == ANY;
	default:
		break;
	}
	t = dh_scan_targets(run->links, fn, no);
	for (uint32_t i = 0; i < t.n && t.n <= run->limits.targets; i++) {
		uint32_t to = run->p->symbols[t.symbols[i]].function;

		if (has_kind(u, to, kind) || has_kind(u, to, ANY))
			return 1;
	}
	return 0;
}

/* The first effect of the statements from one on to the end of the block. */
static int effect_of_rest(
	struct unlocks *u, uint32_t fn, uint32_t block, uint32_t stmt, uint32_t kind)
{
	const struct dh_scan_block *b = &u->run->p->functions[fn]->blocks[block];
	int e = 0;

	for (uint32_t i = stmt; i < b->first + b->n && !e; i++)
		e = effect(u, fn, i, kind);
	return e;
}

static void make_room(struct unlocks *u, uint32_t n_blocks)
{
	if (n_blocks >= u->cap_seen) {
		free(u->seen);
		free(u->todo);
		u->cap_seen = u->cap_todo = 2 * n_blocks + 16;
		u->seen = dh_zalloc(u->cap_seen * sizeof(*u->seen));
		u->todo = dh_new_n(uint32_t, u->cap_todo);
		u->question = 0;
	}
	u->question++;
}

/* Whether a way from behind the statement leads to a release before the lock is taken again. */
static bool leads_to_release(struct unlocks *u, uint32_t fn, uint32_t stmt, uint32_t kind)
{
	const struct dh_scan_function *f = u->run->p->functions[fn];
	uint32_t block = dh_scan_block_of(f, stmt), n = 0;
	int e = effect_of_rest(u, fn, block, stmt + 1, kind);

	make_room(u, f->n_blocks);
	for (;;) {
		const struct dh_scan_block *b = &f->blocks[block];

		if (e > 0)
			return true;
		for (uint32_t i = 0; i < b->n_edges && !e; i++) {
			uint32_t to = f->edges[b->edge + i].to;

			if (u->seen[to] == u->question)
				continue;
			u->seen[to] = u->question;
			u->todo[n++] = to;
		}
		if (!n)
			return false;
		block = u->todo[--n];
		e = effect_of_rest(u, fn, block, f->blocks[block].first, kind);
	}
}

static bool is_released_behind(struct unlocks *u, uint32_t fn, uint32_t stmt, uint32_t kind)
{
	uint64_t key = ((uint64_t)fn << 32 | stmt) * UINT64_C(0x9e3779b97f4a7c15) + kind, yes;

	if (!has_kind(u, fn, kind) && !has_kind(u, fn, ANY))
		return false;
	if (!dh_map_get(&u->known, key, &yes)) {
		yes = leads_to_release(u, fn, stmt, kind);
		dh_map_set(&u->known, key, yes);
	}
	return yes;
}

/* Nothing but statements of one function, without a branch, is between the two locks of a program:
 * there is no way to get lost on. */
static bool is_certain(struct dh_scan_run *run, const struct dh_scan_order_edge *e)
{
	return !run->kernel && e->fn == e->from_fn && !e->calls && !e->conds &&
	       dh_scan_lock_is_unique(run, e->held);
}

static bool is_released(struct unlocks *u, const struct dh_scan_order_edge *e)
{
	struct dh_scan_run *run = u->run;
	uint32_t kind = kind_of(run, run->locks[e->held].node);
	uint32_t fn = e->fn, stmt = e->stmt;

	for (uint32_t at = e->context, depth = 0; depth < 1000; depth++) {
		const struct dh_scan_context *c = &run->contexts[at];

		if (kind == ANY || is_released_behind(u, fn, stmt, kind))
			return true;
		if (!c->by || run->contexts[c->by].thread != c->thread)
			break;
		fn = run->contexts[c->by].fn;
		stmt = c->by_stmt;
		at = c->by;
	}
	return false;
}

void dh_scan_trim_orders(struct dh_scan_run *run)
{
	struct unlocks u = {.run = run};
	uint32_t k = 0;

	number_kinds(&u);
	find_whole(&u);
	for (uint32_t i = 0; i < run->n_edges; i++)
		if (is_certain(run, &run->edges[i]) || is_released(&u, &run->edges[i]))
			run->edges[k++] = run->edges[i];
	run->counts.unreleased += run->n_edges - k;
	run->n_edges = k;
	dh_map_release(&u.kinds);
	dh_map_release(&u.known);
	free(u.whole);
	free(u.todo);
	free(u.seen);
}
