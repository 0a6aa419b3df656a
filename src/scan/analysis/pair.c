/* Which accesses to one place race with each other. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/analysis/call.h"
#include "scan/analysis/profiles.h"
#include "scan/analysis/race.h"
#include "scan/analysis/rule.h"
#include "scan/analysis/turn.h"

/* Situations of one place that are compared with each other, and pairs that are kept. */
#define MAX_GROUPS 800
#define MAX_PAIRS  100
/* Where only those are compared that break a rule, few are enough. */
#define MAX_ACCUSED 120

static struct dh_scan_when when(const struct dh_scan_access *a)
{
	return (struct dh_scan_when){
		a->thread, a->live, a->joined, a->waited, a->signalled, a->locks};
}

/* Flags that are set and looked at in one go, with no update that could get lost. */
static bool is_plain(const struct dh_scan_run *run, const struct dh_scan_access *a)
{
	if (a->flags & DH_SA_ATOMIC)
		return false;
	if (!(a->flags & DH_SA_VOLATILE) || a->size > 8)
		return true;
	return !run->kernel && a->flags & DH_SA_UPDATE && a->flags & DH_SA_WRITE;
}

/* Whether it is done under what tables know by this name: a state of the thread, or a lock. */
static bool is_under(struct dh_scan_run *run, const struct dh_scan_access *a, const char *name)
{
	uint32_t node;

	if (a->locks == DH_LOCKSET_EMPTY)
		return false;
	node = dh_rule_named_lock(run, name);
	return dh_lockset_contains(run->sets, a->locks, dh_scan_lock_get(run, node, false, 0));
}

/* The handler cannot come in while its signals are blocked. */
static bool is_masked(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b)
{
	return (run->threads[a->thread].kind == DH_THREAD_SIGNAL &&
		       is_under(run, b, DH_SIGNALS_BLOCKED)) ||
	       (run->threads[b->thread].kind == DH_THREAD_SIGNAL &&
		       is_under(run, a, DH_SIGNALS_BLOCKED));
}

/* Whether both hold a lock of one kind, if not the same one. */
static bool have_like_locks(struct dh_scan_run *run, uint32_t a, uint32_t b)
{
	size_t n, m;

	dh_lockset_locks(run->sets, a, &n);
	dh_lockset_locks(run->sets, b, &m);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < m; j++) {
			uint32_t x = run->locks[dh_lockset_locks(run->sets, a, &n)[i]].node;
			uint32_t y = run->locks[dh_lockset_locks(run->sets, b, &m)[j]].node;
			uint32_t field = dh_sym_last_field(run->p, x);

			if (field ? field == dh_sym_last_field(run->p, y)
				  : dh_sym_any_index(&run->syms, x) ==
						dh_sym_any_index(&run->syms, y))
				return true;
		}
	return false;
}

/* A variable, or memory of which there is one. */
static bool is_single(struct dh_scan_run *run, uint32_t place)
{
	uint32_t base = dh_scan_base(run->p, place);
	const struct dh_sym *y = dh_sym_of(&run->syms, base);

	if (y)
		return (y->kind == DH_SYM_HEAP || y->kind == DH_SYM_FRAME) && !y->many;
	return place && dh_scan_node(run->p, base)->op == DH_SCAN_GLOBAL;
}

/* What one of them took out of a shared container under a lock: the other has another one, or uses
 * it in the container, with the lock. */
static bool is_taken(struct dh_scan_run *run, const struct dh_scan_bucket *bucket,
	const struct dh_scan_access *a, const struct dh_scan_access *b)
{
	/* What the object leads to is its own if there are many of that, too. */
	uint16_t own = DH_SA_OWNED | (is_single(run, bucket->place) ? 0 : DH_SA_BELOW);

	if (!((a->flags | b->flags) & own))
		return false;
	/* Who took it out frees it: what another one frees is one of the others. */
	if (a->flags & b->flags & DH_SA_FREE && !is_single(run, bucket->place))
		return true;
	return (a->flags & own && b->flags & own) || have_like_locks(run, a->locks, b->locks);
}

/* A kernel updates flags atomically, and looks at them without ado. */
static bool is_look(const struct dh_scan_run *run, const struct dh_scan_access *a,
	const struct dh_scan_access *b)
{
	return run->kernel && b->flags & DH_SA_ATOMIC && !(a->flags & DH_SA_WRITE) && a->size <= 8;
}

/* Whether the code names a thread-local variable: each thread means its own. */
static bool names_own(struct dh_scan_run *run, const struct dh_scan_access *a)
{
	const struct dh_scan_stmt *s = &run->p->functions[a->fn]->stmts[a->stmt];
	const struct dh_scan_node *n = dh_scan_node(run->p, dh_scan_object(run->p, a->addr));

	return n->op == DH_SCAN_GLOBAL && run->p->symbols[n->a].flags & DH_SCAN_SYM_THREAD &&
	       s->op != DH_SCAN_CALLS &&
	       dh_scan_node(run->p, dh_scan_object(run->p, s->addr))->op == DH_SCAN_GLOBAL;
}

/* Whether the two are different threads' variables of the same name. */
static bool are_own(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b)
{
	bool own_a = names_own(run, a), own_b = names_own(run, b);
	uint64_t lenders = DH_LOCKSET_EMPTY;

	if (own_a == own_b)
		return own_a;
	dh_map_get(&run->lent, dh_scan_node(run->p, dh_scan_object(run->p, a->addr))->a, &lenders);
	return !dh_lockset_contains(run->sets, (uint32_t)lenders, own_a ? a->thread : b->thread);
}

/* Annotations say that whatever is read or written here is meant to be. */
static bool is_ignored(struct dh_scan_run *run, const struct dh_scan_access *a)
{
	return is_under(
		run, a, a->flags & DH_SA_WRITE ? DH_SCAN_IGNORED_WRITES : DH_SCAN_IGNORED_READS);
}

static bool conflicts(struct dh_scan_run *run, const struct dh_scan_bucket *bucket,
	const struct dh_scan_access *a, const struct dh_scan_access *b)
{
	struct dh_scan_when wa = when(a), wb = when(b);

	if (!((a->flags | b->flags) & DH_SA_WRITE) || (!is_plain(run, a) && !is_plain(run, b)) ||
		run->threads[a->thread].dying || run->threads[b->thread].dying ||
		is_look(run, a, b) || is_look(run, b, a))
		return false;
	return dh_scan_parallel(run, &wa, &wb) && !is_masked(run, a, b) && !is_ignored(run, a) &&
	       !is_ignored(run, b) && !are_own(run, a, b) && !is_taken(run, bucket, a, b) &&
	       !dh_scan_disjoint(run, a, b) && !dh_scan_common_lock(run, a, b) &&
	       !dh_scan_take_turns(run, a, b);
}

static bool is_unlocked(struct dh_scan_run *run, const struct dh_scan_access *a)
{
	size_t n;

	dh_lockset_locks(run->sets, a->locks, &n);
	for (size_t i = 0; i < n; i++)
		if (!dh_scan_lock_is_local(run, dh_lockset_locks(run->sets, a->locks, &n)[i]))
			return false;
	return true;
}

/* Whether the access breaks the rule that is checked (RacerX 8.1). */
static bool is_accused(
	struct dh_scan_run *run, const struct dh_scan_guard *g, const struct dh_scan_access *a)
{
	if (dh_scan_is_reader(run, a))
		return false;
	switch (run->mode) {
	case DH_SCAN_SIMPLE:
	case DH_SCAN_STATISTICAL:
		return is_unlocked(run, a);
	case DH_SCAN_PRECISE:
		return g->kind ? !dh_scan_holds_kind(run, a->locks, g->kind) : is_unlocked(run, a);
	default:
		return !g->said || !dh_scan_holds_kind(run, a->locks, g->kind);
	}
}

static bool same_place(const struct dh_scan_access *a, const struct dh_scan_access *b)
{
	return a->fn == b->fn && a->stmt == b->stmt;
}

void dh_scan_add_pair(struct dh_scan_race *r, uint32_t a, uint32_t b)
{
	if (r->n_pairs == MAX_PAIRS)
		return;
	DH_GROW(r->pairs, r->n_pairs, r->cap_pairs);
	r->pairs[r->n_pairs++] = (struct dh_scan_pair){a, b};
}

bool dh_scan_is_covered(struct dh_scan_run *run, const struct dh_scan_race *r, uint32_t a)
{
	for (uint32_t i = 0; i < r->n_pairs; i++)
		if (same_place(&run->accesses[r->pairs[i].a], &run->accesses[a]) ||
			same_place(&run->accesses[r->pairs[i].b], &run->accesses[a]))
			return true;
	return false;
}

/* Accesses that differ only in where they are in the code: what holds for one holds for all. */
struct group {
	uint32_t first, last; /* accesses, linked by next */
};

struct groups {
	struct group *rows;
	uint32_t n, cap;
	uint32_t *next; /* by position in the bucket; position plus 1, 0: none */
	struct dh_map index;
};

static uint64_t signature(const struct dh_scan_access *a)
{
	const uint64_t parts[] = {a->addr, a->locks, a->live, a->joined, a->waited, a->signalled,
		a->thread, a->flags, a->size > 8, a->turns};
	uint64_t h = 0;

	for (size_t i = 0; i < DH_ARRAY_SIZE(parts); i++) {
		h = (h ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 31;
	}
	return h;
}

static void make_groups(struct dh_scan_run *run, const struct dh_scan_bucket *b, struct groups *g)
{
	g->next = dh_zalloc((b->n + 1) * sizeof(*g->next));
	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t key = signature(&run->accesses[b->items[i]]), no;

		if (dh_map_get(&g->index, key, &no)) {
			g->next[g->rows[no].last] = i + 1;
			g->rows[no].last = i;
			continue;
		}
		dh_map_set(&g->index, key, g->n);
		DH_GROW(g->rows, g->n, g->cap);
		g->rows[g->n++] = (struct group){i, i};
	}
}

static void release_groups(struct groups *g)
{
	free(g->rows);
	free(g->next);
	dh_map_release(&g->index);
}

/* Another access that the group's accesses race with; writes make better pairs.  -1: none. */
static int64_t find_partner(struct dh_scan_run *run, const struct dh_scan_bucket *b,
	const struct groups *g, const struct dh_scan_access *x, uint32_t n,
	const struct dh_scan_guard *guard)
{
	bool accused = is_accused(run, guard, x);

	for (uint32_t pass = 0; pass < 2; pass++)
		for (uint32_t j = 0; j < n; j++) {
			uint32_t other = b->items[g->rows[j].first];
			const struct dh_scan_access *y = &run->accesses[other];

			if (((y->flags & DH_SA_WRITE) != 0) != (pass != 0) &&
				(accused || is_accused(run, guard, y)) && conflicts(run, b, x, y))
				return other;
		}
	return -1;
}

bool dh_scan_find_pairs(
	struct dh_scan_run *run, const struct dh_scan_bucket *b, struct dh_scan_race *r)
{
	struct groups g = {0};
	uint32_t n;
	bool sampled;

	make_groups(run, b, &g);
	n = DH_MIN(g.n, (uint32_t)(run->mode == DH_SCAN_PAIRS ? MAX_GROUPS : MAX_ACCUSED));
	sampled = g.n > n;
	/* Too many to compare all: a sample from everywhere, not the first ones of one thread. */
	for (uint32_t i = 0; g.n > n && i < n; i++)
		g.rows[i] = g.rows[(uint64_t)i * g.n / n + i * UINT32_C(2654435761) % (g.n / n)];
	for (uint32_t i = 0; i < n && r->n_pairs < MAX_PAIRS; i++) {
		int64_t other = find_partner(
			run, b, &g, &run->accesses[b->items[g.rows[i].first]], n, &r->guard);

		if (other < 0)
			continue;
		for (uint32_t k = g.rows[i].first + 1; k && r->n_pairs < MAX_PAIRS;
			k = g.next[k - 1])
			if (!dh_scan_is_covered(run, r, b->items[k - 1]))
				dh_scan_add_pair(r, b->items[k - 1], (uint32_t)other);
	}
	release_groups(&g);
	return sampled;
}
