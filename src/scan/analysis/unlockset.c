/* Unlockset analysis (RacerX 6.5): a lock that nothing behind a place can release was hardly held
 * there; more likely the analysis lost its way.  The first pass goes backwards and finds for each
 * block the releases that can follow, by kind of lock; the second takes those of every call on the
 * way down, and drops the lock orders whose first lock is in none of them. */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/run.h"

/* A release of who knows which lock. */
#define ANY UINT32_C(1)

struct unlocks {
	struct dh_scan_run *run;
	uint32_t *whole;   /* function -> set of kinds that it or a callee releases */
	uint32_t **blocks; /* function -> block -> set that can follow from its beginning */
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
		*ret_kind =
			dh_sym_get(&run->syms, DH_SYM_NAMED, 0, 0, dh_scan_str(run->p, r->lock));
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

/* The set before the statement, from the one behind it. */
static uint32_t step_back(
	struct unlocks *u, const struct dh_scan_function *f, uint32_t fn, uint32_t no, uint32_t set)
{
	struct dh_scan_run *run = u->run;
	const struct dh_scan_stmt *s = &f->stmts[no];
	struct dh_scan_targets t;
	uint32_t kind;

	if (s->op != DH_SCAN_CALLS)
		return set;
	switch (lock_step(run, f, s, &kind)) {
	case 1:
		return dh_lockset_remove(run->sets, set, kind);
	case -1:
		return dh_lockset_add(run->sets, set, kind);
	default:
		break;
	}
	t = dh_scan_targets(run->links, fn, no);
	for (uint32_t i = 0; i < t.n && t.n <= run->limits.targets; i++)
		set = dh_lockset_union(
			run->sets, set, u->whole[run->p->symbols[t.symbols[i]].function]);
	return set;
}

static uint32_t own_releases(struct dh_scan_run *run, const struct dh_scan_function *f)
{
	uint32_t set = DH_LOCKSET_EMPTY, kind;

	for (uint32_t i = 0; i < f->n_stmts; i++)
		if (lock_step(run, f, &f->stmts[i], &kind) < 0)
			set = dh_lockset_add(run->sets, set, kind);
	return set;
}

/* Up from callees to callers until nothing changes. */
static void find_whole(struct unlocks *u)
{
	struct dh_scan_run *run = u->run;
	uint32_t n = run->p->n_functions, head = 0, count = 0;
	uint32_t *queue = dh_new_n(uint32_t, n + 1);
	bool *queued = dh_zalloc(n + 1);

	for (uint32_t i = 1; i < n; i++) {
		u->whole[i] = own_releases(run, run->p->functions[i]);
		queued[i] = u->whole[i] != DH_LOCKSET_EMPTY;
		if (queued[i])
			queue[count++ % (n + 1)] = i;
	}
	while (head != count) {
		uint32_t i = queue[head++ % (n + 1)], n_callers;
		const struct dh_scan_caller *c =
			dh_scan_callers(run->links, run->p->functions[i]->symbol, &n_callers);

		queued[i] = false;
		for (uint32_t j = 0; j < n_callers; j++) {
			uint32_t to = c[j].function,
				 set = dh_lockset_union(run->sets, u->whole[to], u->whole[i]);

			if (set == u->whole[to])
				continue;
			u->whole[to] = set;
			if (!queued[to])
				queue[count++ % (n + 1)] = to;
			queued[to] = true;
		}
	}
	free(queue);
	free(queued);
}

static uint32_t behind_block(
	const struct unlocks *u, const struct dh_scan_function *f, uint32_t fn, uint32_t block)
{
	const struct dh_scan_block *b = &f->blocks[block];
	uint32_t set = DH_LOCKSET_EMPTY;

	for (uint32_t e = 0; e < b->n_edges; e++)
		set = dh_lockset_union(u->run->sets, set, u->blocks[fn][f->edges[b->edge + e].to]);
	return set;
}

/* Liveness: backwards over the blocks until nothing changes. */
static void find_blocks(struct unlocks *u, uint32_t fn)
{
	const struct dh_scan_function *f = u->run->p->functions[fn];
	const struct dh_scan_fn *p = dh_scan_prepare(u->run, fn);
	bool changed = true;

	u->blocks[fn] = dh_zalloc(((size_t)f->n_blocks + 1) * sizeof(uint32_t));
	for (uint32_t round = 0; changed && round < 64; round++) {
		changed = false;
		for (uint32_t k = p->n_order; k-- > 0;) {
			uint32_t block = p->original[p->at[k]];
			uint32_t set = behind_block(u, f, fn, block);

			for (uint32_t i = f->blocks[block].n; i-- > 0;)
				set = step_back(u, f, fn, f->blocks[block].first + i, set);
			changed |= set != u->blocks[fn][block];
			u->blocks[fn][block] = set;
		}
	}
}

static uint32_t block_of(const struct dh_scan_function *f, uint32_t stmt)
{
	uint32_t i = 0;

	while (i + 1 < f->n_blocks &&
		!(f->blocks[i].first <= stmt && stmt < f->blocks[i].first + f->blocks[i].n))
		i++;
	return i;
}

/* What can be released behind the statement, in its function. */
static uint32_t behind(struct unlocks *u, uint32_t fn, uint32_t stmt)
{
	const struct dh_scan_function *f = u->run->p->functions[fn];
	uint32_t block = block_of(f, stmt), set;

	if (!u->blocks[fn])
		find_blocks(u, fn);
	set = behind_block(u, f, fn, block);
	for (uint32_t i = f->blocks[block].first + f->blocks[block].n; i-- > stmt + 1;)
		set = step_back(u, f, fn, i, set);
	return set;
}

static bool is_released(struct unlocks *u, const struct dh_scan_order_edge *e)
{
	struct dh_scan_run *run = u->run;
	uint32_t kind = kind_of(run, run->locks[e->held].node);
	uint32_t fn = e->fn, stmt = e->stmt;

	for (uint32_t at = e->context, depth = 0; depth < 1000; depth++) {
		const struct dh_scan_context *c = &run->contexts[at];
		uint32_t set = behind(u, fn, stmt);

		if (kind == ANY || dh_lockset_contains(run->sets, set, kind) ||
			dh_lockset_contains(run->sets, set, ANY))
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
	uint32_t n = run->p->n_functions, k = 0;
	struct unlocks u = {.run = run,
		.whole = dh_zalloc((n + 1) * sizeof(uint32_t)),
		.blocks = dh_zalloc((n + 1) * sizeof(uint32_t *))};

	find_whole(&u);
	for (uint32_t i = 0; i < run->n_edges; i++)
		if (is_released(&u, &run->edges[i]))
			run->edges[k++] = run->edges[i];
	run->counts.unreleased += run->n_edges - k;
	run->n_edges = k;
	for (uint32_t i = 0; i < n; i++)
		free(u.blocks[i]);
	free(u.blocks);
	free(u.whole);
}
