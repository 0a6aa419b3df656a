/* Which races are most worth a look: RacerX's Table 4, section 8.2 to 8.5. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/analysis/bucket.h"
#include "scan/analysis/race.h"
#include "scan/analysis/score.h"
#include "scan/analysis/stats.h"

/* What is counted for one place in memory. */
struct evidence {
	uint32_t locked, unlocked; /* places in the code */
	uint32_t writers;          /* set of threads */
	bool read_elsewhere, handler_writes, handler_reads, only_constants, any_write;
	struct dh_scan_usage_section sections;
};

static void add(
	struct dh_scan_run *run, struct dh_scan_race *r, enum dh_scan_score s, double n, double m)
{
	DH_GROW(r->reasons, r->n_reasons, r->cap_reasons);
	r->reasons[r->n_reasons++] = (struct dh_scan_reason){.score = (uint8_t)s, .n = n, .m = m};
	r->score += dh_scan_score(run->table, s);
}

static bool in_handler(const struct dh_scan_run *run, const struct dh_scan_access *a)
{
	return run->threads[a->thread].kind == DH_THREAD_SIGNAL;
}

static void count_access(
	struct dh_scan_run *run, struct evidence *e, const struct dh_scan_access *a, bool again)
{
	bool write = a->flags & DH_SA_WRITE;

	if (!again) {
		e->locked += a->locks != DH_LOCKSET_EMPTY;
		e->unlocked += a->locks == DH_LOCKSET_EMPTY;
	}
	if (write) {
		e->writers = dh_lockset_add(run->sets, e->writers, a->thread);
		e->any_write = true;
		e->only_constants &= (a->flags & DH_SA_CONST) != 0;
		e->handler_writes |= in_handler(run, a);
	} else {
		e->handler_reads |= in_handler(run, a);
		e->read_elsewhere = true;
	}
}

#define MAX_COUNTED 2000

static struct evidence gather(struct dh_scan_run *run, const struct dh_scan_bucket *b)
{
	struct evidence e = {.only_constants = true};
	uint32_t n = DH_MIN(b->n, MAX_COUNTED);
	struct dh_map seen = DH_MAP_INIT;

	for (uint32_t i = 0; i < n; i++) {
		const struct dh_scan_access *a = &run->accesses[b->items[i]];
		uint64_t place = (uint64_t)a->fn << 32 | a->stmt;

		count_access(run, &e, a, dh_map_get(&seen, place, NULL));
		dh_map_set(&seen, place, 1);
	}
	dh_map_release(&seen);
	e.sections = dh_scan_sections_of(run, b);
	return e;
}

static void rank_sections(struct dh_scan_run *run, struct dh_scan_race *r, const struct evidence *e)
{
	if (e->sections.only > 1)
		add(run, r, DH_SCORE_ONLY_OFTEN, e->sections.only, 0);
	else if (e->sections.only == 1)
		add(run, r, DH_SCORE_ONLY_ONCE, 0, 0);
	if (e->sections.first > 0)
		add(run, r, DH_SCORE_FIRST, e->sections.first, 0);
	if (e->sections.last > 0)
		add(run, r, DH_SCORE_LAST, e->sections.last, 0);
}

static void rank_beliefs(struct dh_scan_run *run, struct dh_scan_race *r, const struct evidence *e)
{
	double n = e->locked + e->unlocked, z = dh_scan_z(e->locked, n, 0.8);
	bool global =
		r->bucket.place &&
		dh_scan_node(run->p, dh_scan_base(run->p, r->bucket.place))->op == DH_SCAN_GLOBAL;

	if (z > 2)
		add(run, r, DH_SCORE_BELIEF, e->locked, n);
	else if (z < -2 && !global)
		add(run, r, DH_SCORE_DISBELIEF, e->locked, n);
}

static void rank_threads(struct dh_scan_run *run, struct dh_scan_race *r, const struct evidence *e)
{
	size_t n, many = 0;
	const uint32_t *w = dh_lockset_locks(run->sets, e->writers, &n);

	for (size_t i = 0; i < n; i++)
		many += run->threads[w[i]].many;
	n += many;
	if (n > 2)
		add(run, r, DH_SCORE_MANY_ROOTS, (double)n, 0);
	else if (n > 1)
		add(run, r, DH_SCORE_TWO_ROOTS, (double)n, 0);
	else if (n == 1)
		add(run, r, DH_SCORE_ONE_ROOT, 0, 0);
	if (e->handler_writes)
		add(run, r, DH_SCORE_HANDLER_WRITES, 0, 0);
	else if (e->handler_reads)
		add(run, r, DH_SCORE_HANDLER_READS, 0, 0);
}

/* Whether it is certain of each lock which one it is. */
static bool are_known(struct dh_scan_run *run, uint32_t locks)
{
	size_t n;

	dh_lockset_locks(run->sets, locks, &n);
	for (size_t i = 0; i < n; i++)
		if (!dh_scan_lock_is_unique(run, dh_lockset_locks(run->sets, locks, &n)[i]))
			return false;
	return true;
}

static void rank_locks(struct dh_scan_run *run, struct dh_scan_race *r)
{
	const struct dh_scan_access *a = &run->accesses[r->pairs[0].a],
				    *b = &run->accesses[r->pairs[0].b];
	uint32_t with = 0, without = 0;

	for (uint32_t i = 0; i < r->bucket.n; i++) {
		const struct dh_scan_access *o = &run->accesses[r->bucket.items[i]];
		const struct dh_scan_access *side = a->locks == DH_LOCKSET_EMPTY ? a : b;

		if (o->fn == side->fn && o->stmt == side->stmt) {
			with += o->locks != DH_LOCKSET_EMPTY;
			without += o->locks == DH_LOCKSET_EMPTY;
		}
	}
	if (without && !with)
		add(run, r, DH_SCORE_ALWAYS_UNLOCKED, 0, 0);
	else if (without > with)
		add(run, r, DH_SCORE_OFTEN_UNLOCKED, without, with);
	if (a->locks != DH_LOCKSET_EMPTY && b->locks != DH_LOCKSET_EMPTY)
		add(run, r,
			are_known(run, a->locks) && are_known(run, b->locks) ? DH_SCORE_WRONG_LOCK
									     : DH_SCORE_LIKE_LOCKS,
			0, 0);
}

static bool looks_like_counter(struct dh_scan_run *run, const struct dh_scan_race *r)
{
	const struct dh_scan_program *p = run->p;
	uint32_t base = r->bucket.place ? dh_scan_base(p, r->bucket.place) : 0;
	const struct dh_scan_node *n = dh_scan_node(p, base);
	uint32_t name = r->bucket.field           ? p->fields[r->bucket.field].name
			: n->op == DH_SCAN_GLOBAL ? p->symbols[n->a].name
						  : 0;

	return name && dh_scan_table_is_counter(run->table, dh_scan_text(p, name));
}

static bool is_one_of_many(struct dh_scan_run *run, uint32_t place)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, dh_scan_base(run->p, place));

	return y && y->kind == DH_SYM_HEAP && y->many;
}

/* Whether the main thread comes by the same place, without a lock, when it is alone: before it
 * starts the others, or between two times that it does. */
static bool is_setup(
	struct dh_scan_run *run, const struct dh_scan_race *r, const struct dh_scan_access *a)
{
	uint32_t n = DH_MIN(r->bucket.n, MAX_COUNTED);

	if (run->threads[a->thread].kind != DH_THREAD_MAIN || a->locks != DH_LOCKSET_EMPTY)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct dh_scan_access *o = &run->accesses[r->bucket.items[i]];

		if (o->fn == a->fn && o->stmt == a->stmt && o->thread == a->thread &&
			o->live == DH_LOCKSET_EMPTY)
			return true;
	}
	return false;
}

/* The lock that protects it as a rule, and who breaks the rule (section 8.5). */
static void rank_guard(struct dh_scan_run *run, struct dh_scan_race *r)
{
	const struct dh_scan_guard *g = &r->guard;
	const struct dh_scan_access *a = &run->accesses[r->pairs[0].a];

	if (run->mode != DH_SCAN_PRECISE || !g->kind || g->said)
		return;
	if (g->with > 2 && g->with > 3 * g->without)
		add(run, r, DH_SCORE_GUARD, g->with, g->without);
	if (dh_scan_holds_kind(run, a->locks, g->kind))
		a = &run->accesses[r->pairs[0].b];
	if (a->flags & DH_SA_WRITE && !(a->flags & DH_SA_FREE))
		add(run, r, DH_SCORE_UNGUARDED_WRITE, 0, 0);
	if (run->fns[a->fn].sets_up)
		add(run, r, DH_SCORE_NOT_IN_USE, 0, 0);
}

/* From how many racy places on an object that is no variable is passed around by a rule. */
#define MANY_PLACES 10

static uint32_t count_places(struct dh_scan_run *run, const struct dh_scan_race *r)
{
	struct dh_map seen = DH_MAP_INIT;
	uint32_t n = 0;

	for (uint32_t i = 0; i < 2 * r->n_pairs; i++) {
		const struct dh_scan_pair *p = &r->pairs[i / 2];
		const struct dh_scan_access *a = &run->accesses[i % 2 ? p->b : p->a];
		uint64_t place = (uint64_t)a->fn << 32 | a->stmt;

		n += !dh_map_get(&seen, place, NULL);
		dh_map_set(&seen, place, 1);
	}
	dh_map_release(&seen);
	return n;
}

static void rank_places(struct dh_scan_run *run, struct dh_scan_race *r)
{
	uint32_t base = r->bucket.place ? dh_scan_base(run->p, r->bucket.place) : 0, n;

	if (run->kernel || (base && dh_scan_node(run->p, base)->op == DH_SCAN_GLOBAL))
		return;
	n = count_places(run, r);
	if (n >= MANY_PLACES)
		add(run, r, DH_SCORE_MANY_PLACES, n, 0);
}

static void rank_access(struct dh_scan_run *run, struct dh_scan_race *r, const struct evidence *e)
{
	const struct dh_scan_access *a = &run->accesses[r->pairs[0].a],
				    *b = &run->accesses[r->pairs[0].b];
	uint16_t flags = a->flags | b->flags;

	if (a->flags & DH_SA_WRITE || b->flags & DH_SA_WRITE)
		add(run, r, DH_SCORE_WRITE, 0, 0);
	if (flags & DH_SA_UPDATE)
		add(run, r, DH_SCORE_UPDATE, 0, 0);
	if ((a->flags ^ b->flags) & DH_SA_ATOMIC)
		add(run, r, DH_SCORE_MIXED, 0, 0);
	if (flags & DH_SA_BITS || DH_MAX(a->size, b->size) > 8)
		add(run, r, DH_SCORE_NOT_ATOMIC, DH_MAX(a->size, b->size), 0);
	if (flags & DH_SA_FREE)
		add(run, r,
			r->bucket.place && !is_one_of_many(run, r->bucket.place)
				? DH_SCORE_FREED
				: DH_SCORE_FREED_ONE,
			0, 0);
	if (a->flags & b->flags & DH_SA_VOLATILE)
		add(run, r, DH_SCORE_VOLATILE, 0, 0);
	if (e->only_constants && e->any_write)
		add(run, r, DH_SCORE_INITIALISATION, 0, 0);
	if (looks_like_counter(run, r) && !e->locked)
		add(run, r, DH_SCORE_COUNTER, 0, 0);
	if (is_setup(run, r, a) || is_setup(run, r, b))
		add(run, r, DH_SCORE_SETUP, 0, 0);
	if (!r->bucket.place)
		add(run, r, DH_SCORE_UNKNOWN_OBJECT, 0, 0);
	else if (is_one_of_many(run, r->bucket.place))
		add(run, r, DH_SCORE_MANY_OBJECTS, 0, 0);
	rank_places(run, r);
	r->concurrent = (flags & DH_SA_CONCURRENT) != 0;
	if (r->concurrent)
		add(run, r, DH_SCORE_CONCURRENT, 0, 0);
	r->difficulty = 3u * (run->contexts[a->context].depth + run->contexts[b->context].depth);
}

/* The pair to show: writes before reads, no lock before the wrong one, the shorter way. */
static int pair_weight(struct dh_scan_run *run, const struct dh_scan_pair *p)
{
	const struct dh_scan_access *a = &run->accesses[p->a], *b = &run->accesses[p->b];
	int w = 0;

	w += 4 * ((a->flags & DH_SA_WRITE) != 0) + 4 * ((b->flags & DH_SA_WRITE) != 0);
	w += 2 * (a->locks == DH_LOCKSET_EMPTY) + 2 * (b->locks == DH_LOCKSET_EMPTY);
	w += (a->fn != b->fn || a->stmt != b->stmt) * 2;
	w -= (a->flags & DH_SA_MAYBE) != 0 || (b->flags & DH_SA_MAYBE) != 0;
	return w;
}

static void best_pair_first(struct dh_scan_run *run, struct dh_scan_race *r)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < r->n_pairs; i++)
		if (pair_weight(run, &r->pairs[i]) > pair_weight(run, &r->pairs[best]))
			best = i;
	struct dh_scan_pair first = r->pairs[best];

	r->pairs[best] = r->pairs[0];
	r->pairs[0] = first;
}

/* How many racing variables each function touches with no lock held (section 8.4). */
static void rank_company(struct dh_scan_run *run, struct dh_scan_races *all)
{
	struct dh_map count = DH_MAP_INIT;

	for (uint32_t pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < all->n; i++) {
			const struct dh_scan_access *a = &run->accesses[all->rows[i].pairs[0].a];
			const struct dh_scan_access *b = &run->accesses[all->rows[i].pairs[0].b];
			const struct dh_scan_access *side = a->locks == DH_LOCKSET_EMPTY ? a : b;
			uint64_t n = 0;

			if (side->locks != DH_LOCKSET_EMPTY)
				continue;
			dh_map_get(&count, side->fn, &n);
			if (!pass)
				dh_map_set(&count, side->fn, n + 1);
			else if (n > 4)
				add(run, &all->rows[i], DH_SCORE_MANY_VARIABLES, (double)n, 0);
			else if (n > 1)
				add(run, &all->rows[i], DH_SCORE_SOME_VARIABLES, (double)n, 0);
		}
	dh_map_release(&count);
}

static bool takes_part(
	struct dh_scan_run *run, const struct dh_scan_race *r, const struct dh_scan_access *a)
{
	for (uint32_t i = 0; i < r->n_pairs; i++) {
		const struct dh_scan_access *x = &run->accesses[r->pairs[i].a],
					    *y = &run->accesses[r->pairs[i].b];

		if ((x->fn == a->fn && x->stmt == a->stmt) ||
			(y->fn == a->fn && y->stmt == a->stmt))
			return true;
	}
	return false;
}

/* Where the same variable is used with a lock, and not part of the race. */
static void find_example(struct dh_scan_run *run, struct dh_scan_race *r)
{
	uint32_t n = DH_MIN(r->bucket.n, MAX_COUNTED);

	for (uint32_t i = 0; i < n; i++) {
		const struct dh_scan_access *a = &run->accesses[r->bucket.items[i]];

		if (a->locks == DH_LOCKSET_EMPTY || takes_part(run, r, a))
			continue;
		r->example_fn = a->fn;
		r->example_stmt = a->stmt;
		r->example_locks = a->locks;
		return;
	}
}

void dh_scan_rank_races(
	struct dh_scan_run *run, const struct dh_scan_buckets *b, struct dh_scan_races *all)
{
	(void)b;
	for (uint32_t i = 0; i < all->n; i++) {
		struct dh_scan_race *r = &all->rows[i];
		struct evidence e = gather(run, &r->bucket);

		best_pair_first(run, r);
		rank_locks(run, r);
		rank_threads(run, r, &e);
		rank_sections(run, r, &e);
		rank_beliefs(run, r, &e);
		rank_access(run, r, &e);
		find_example(run, r);
		rank_guard(run, r);
	}
	rank_company(run, all);
}
