/* Data races: two accesses to one place, one of them a write, that may happen at the same time and
 * that no lock keeps apart. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/analysis/call.h"
#include "scan/analysis/find.h"
#include "scan/analysis/race.h"
#include "scan/analysis/turn.h"
#include "scan/analysis/value.h"

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

/* The handler cannot come in while its signals are blocked. */
static bool is_masked(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b)
{
	uint32_t name = dh_scan_str(run->p, DH_SIGNALS_BLOCKED);
	uint32_t node = dh_sym_get(&run->syms, DH_SYM_NAMED, 0, 0, name);
	uint32_t lock = dh_scan_lock_get(run, node, false, 0);

	return (run->threads[a->thread].kind == DH_THREAD_SIGNAL &&
		       dh_lockset_contains(run->sets, b->locks, lock)) ||
	       (run->threads[b->thread].kind == DH_THREAD_SIGNAL &&
		       dh_lockset_contains(run->sets, a->locks, lock));
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
	return (a->flags & own && b->flags & own) || have_like_locks(run, a->locks, b->locks);
}

/* A kernel updates flags atomically, and looks at them without ado. */
static bool is_look(const struct dh_scan_run *run, const struct dh_scan_access *a,
	const struct dh_scan_access *b)
{
	return run->kernel && b->flags & DH_SA_ATOMIC && !(a->flags & DH_SA_WRITE) && a->size <= 8;
}

static bool conflicts(struct dh_scan_run *run, const struct dh_scan_bucket *bucket,
	const struct dh_scan_access *a, const struct dh_scan_access *b)
{
	struct dh_scan_when wa = when(a), wb = when(b);

	if (!((a->flags | b->flags) & DH_SA_WRITE) || (!is_plain(run, a) && !is_plain(run, b)) ||
		run->threads[a->thread].dying || run->threads[b->thread].dying ||
		is_look(run, a, b) || is_look(run, b, a))
		return false;
	return dh_scan_parallel(run, &wa, &wb) && !is_masked(run, a, b) &&
	       !is_taken(run, bucket, a, b) && !dh_scan_disjoint(run, a, b) &&
	       !dh_scan_common_lock(run, a, b) && !dh_scan_take_turns(run, a, b);
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

static void add_pair(struct dh_scan_race *r, uint32_t a, uint32_t b)
{
	DH_GROW(r->pairs, r->n_pairs, r->cap_pairs);
	r->pairs[r->n_pairs++] = (struct dh_scan_pair){a, b};
}

/* Whether both places are in a pair already, so that another one would tell nothing new. */
static bool is_covered(struct dh_scan_run *run, const struct dh_scan_race *r, uint32_t a)
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

/* Pairs until every access that can race is in one. */
static void find_pairs(
	struct dh_scan_run *run, const struct dh_scan_bucket *b, struct dh_scan_race *r)
{
	struct groups g = {0};
	uint32_t n;

	make_groups(run, b, &g);
	n = DH_MIN(g.n, (uint32_t)(run->mode == DH_SCAN_PAIRS ? MAX_GROUPS : MAX_ACCUSED));
	run->counts.sampled += g.n > n;
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
			if (!is_covered(run, r, b->items[k - 1]))
				add_pair(r, b->items[k - 1], (uint32_t)other);
	}
	release_groups(&g);
}

/* A library is not told of its callers' threads: only what it protects somewhere is shared. */
static bool is_protected_somewhere(struct dh_scan_run *run, const struct dh_scan_bucket *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		if (run->accesses[b->items[i]].locks != DH_LOCKSET_EMPTY)
			return true;
	return false;
}

static bool is_global(const struct dh_scan_run *run, const struct dh_scan_bucket *b)
{
	return b->place &&
	       dh_scan_node(run->p, dh_scan_base(run->p, b->place))->op == DH_SCAN_GLOBAL;
}

/* Whether programmers protect it as a rule, with whatever lock. */
static bool is_mostly_protected(struct dh_scan_run *run, const struct dh_scan_bucket *b)
{
	uint32_t locked = 0;

	for (uint32_t i = 0; i < b->n; i++)
		locked += run->accesses[b->items[i]].locks != DH_LOCKSET_EMPTY;
	return locked * 2 > b->n;
}

/* Whether the mode looks at such variables at all; handler: an interrupt handler uses it. */
static bool is_checked(struct dh_scan_run *run, const struct dh_scan_bucket *b,
	const struct dh_scan_guard *g, bool handler)
{
	if (g->said)
		return true;
	switch (run->mode) {
	case DH_SCAN_SIMPLE:
		return is_global(run, b);
	case DH_SCAN_STATISTICAL:
		return is_global(run, b) || is_mostly_protected(run, b);
	case DH_SCAN_PRECISE:
		return (g->with >= 2 && g->with > g->without) || (handler && is_global(run, b));
	default:
		return handler || !(run->kernel || run->library) || is_protected_somewhere(run, b);
	}
}

static bool may_race(
	struct dh_scan_run *run, const struct dh_scan_bucket *b, const struct dh_scan_guard *g)
{
	bool write = false, several = false, handler = false;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct dh_scan_access *a = &run->accesses[b->items[i]];

		/* What a handler touches is shared, whatever else is known. */
		handler |= run->threads[a->thread].kind == DH_THREAD_SIGNAL;

		write |= a->flags & DH_SA_WRITE;
		several |= run->threads[a->thread].many ||
			   a->thread != run->accesses[b->items[0]].thread;
	}
	return write && several && is_checked(run, b, g, handler);
}

/* A member of unknown objects says the same as the same member of known ones: once is enough. */
static bool is_told(
	struct dh_scan_run *run, const struct dh_scan_races *all, const struct dh_scan_race *r)
{
	for (uint32_t i = r->before; i; i = all->rows[i - 1].before) {
		const struct dh_scan_race *o = &all->rows[i - 1];
		uint32_t known = 0;

		for (uint32_t j = 0; j < r->n_pairs; j++)
			known += is_covered(run, o, r->pairs[j].a) &&
				 is_covered(run, o, r->pairs[j].b);
		if (known == r->n_pairs)
			return true;
	}
	return false;
}

/* The last race on the same member, plus 1. */
static uint32_t last_of_field(const struct dh_map *by_field, uint32_t field)
{
	uint64_t no = 0;

	if (field)
		dh_map_get(by_field, field, &no);
	return (uint32_t)no;
}

/* Freeing an object conflicts with all its members: that is told once. */
static bool is_free_told(struct dh_scan_run *run, const struct dh_scan_race *r, struct dh_map *told)
{
	uint64_t key = 0, known;

	for (uint32_t i = 0; i < r->n_pairs; i++) {
		const struct dh_scan_access *a = &run->accesses[r->pairs[i].a];
		const struct dh_scan_access *b = &run->accesses[r->pairs[i].b];

		if (!((a->flags | b->flags) & DH_SA_FREE))
			return false;
		if (a->flags & DH_SA_FREE)
			b = a;
		key = (uint64_t)b->fn << 32 | b->stmt;
	}
	if (dh_map_get(told, key, &known))
		return true;
	dh_map_set(told, key, 1);
	return false;
}

/* The object whose member is meant, with the code and the threads of the first pair. */
static uint64_t cause_of(struct dh_scan_run *run, const struct dh_scan_race *r)
{
	const struct dh_scan_access *a = &run->accesses[r->pairs[0].a];
	const struct dh_scan_access *b = &run->accesses[r->pairs[0].b];
	uint32_t object = r->bucket.place ? dh_scan_base(run->p, r->bucket.place)
					  : run->p->fields[r->bucket.field].owner;
	uint64_t x = (uint64_t)a->fn << 32 | a->thread, y = (uint64_t)b->fn << 32 | b->thread;
	uint64_t h = (uint64_t)object << 1 | (r->bucket.place != 0);

	/* Static variables of one function are like members of one object. */
	if (!r->bucket.field) {
		struct dh_scan_node n = *dh_scan_node(run->p, object);

		if (n.op != DH_SCAN_GLOBAL || !(run->p->symbols[n.a].flags & DH_SCAN_SYM_LOCAL))
			return 0;
		h = 1;
	}
	h = (h * UINT64_C(0x9e3779b97f4a7c15)) ^ DH_MIN(x, y);
	h = (h * UINT64_C(0x9e3779b97f4a7c15)) ^ DH_MAX(x, y);
	return h ? h : 1;
}

static const char *variable_name(struct dh_scan_run *run, const struct dh_scan_race *r)
{
	const struct dh_scan_program *p = run->p;
	uint32_t base = dh_scan_base(p, r->bucket.place);
	const struct dh_scan_symbol *y = &p->symbols[dh_scan_node(p, base)->a];

	if (r->bucket.field)
		return dh_scan_text(p, p->fields[r->bucket.field].name);
	return dh_scan_text(p, y->pretty ? y->pretty : y->name);
}

static void merge(struct dh_scan_run *run, struct dh_scan_race *into, struct dh_scan_race *r)
{
	for (uint32_t i = 0; i < r->n_pairs && into->n_pairs < MAX_PAIRS; i++)
		add_pair(into, r->pairs[i].a, r->pairs[i].b);
	if (into->n_members++ < 6)
		dh_buf_addf(&into->members, "%s%s", into->members.len ? ", " : "",
			variable_name(run, r));
	r->merged = true;
}

/* Members of one object that the same code uses in the same threads: one cause, one finding. */
static void merge_members(struct dh_scan_run *run, struct dh_scan_races *all)
{
	struct dh_map first = DH_MAP_INIT;
	uint64_t no;

	for (uint32_t i = 0; i < all->n; i++) {
		uint64_t cause = cause_of(run, &all->rows[i]);

		if (cause && (!dh_map_get(&first, cause, &no) ||
				     all->rows[no].score < all->rows[i].score))
			dh_map_set(&first, cause, i);
	}
	for (uint32_t i = 0; i < all->n; i++) {
		uint64_t cause = cause_of(run, &all->rows[i]);

		if (cause && dh_map_get(&first, cause, &no) && no != i)
			merge(run, &all->rows[no], &all->rows[i]);
	}
	dh_map_release(&first);
}

void dh_scan_find_races(struct dh_scan_run *run)
{
	struct dh_map freed = DH_MAP_INIT, by_field = DH_MAP_INIT;
	struct dh_scan_buckets b = {0};
	struct dh_scan_races all = {0};

	dh_scan_find_escapes(run);
	dh_scan_buckets_fill(run, &b);
	for (uint32_t pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < b.n; i++) {
			struct dh_scan_race r = {.bucket = b.rows[i]};

			if ((b.rows[i].place == 0) != (pass == 1) ||
				(b.rows[i].place && !dh_scan_escapes(run, b.rows[i].place)))
				continue;
			r.guard = dh_scan_guard_of(run, &b.rows[i]);
			if (!may_race(run, &b.rows[i], &r.guard))
				continue;
			find_pairs(run, &b.rows[i], &r);
			r.before = last_of_field(&by_field, r.bucket.field);
			if (!r.n_pairs || is_told(run, &all, &r) || is_free_told(run, &r, &freed)) {
				free(r.pairs);
				continue;
			}
			DH_GROW(all.rows, all.n, all.cap);
			all.rows[all.n++] = r;
			dh_map_set(&by_field, r.bucket.field, all.n);
		}
	dh_map_release(&freed);
	dh_map_release(&by_field);
	dh_scan_rank_races(run, &b, &all);
	merge_members(run, &all);
	for (uint32_t i = 0; i < all.n; i++)
		if (!all.rows[i].merged)
			dh_scan_tell_race(run, &all.rows[i]);
	for (uint32_t i = 0; i < all.n; i++) {
		dh_buf_release(&all.rows[i].members);
		free(all.rows[i].pairs);
		free(all.rows[i].reasons);
	}
	free(all.rows);
	dh_scan_buckets_release(&b);
}
