/* Data races: two accesses to one place, one of them a write, that may happen at the same time and
 * that no lock keeps apart. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/parallel.h"
#include "scan/analysis/find.h"
#include "scan/analysis/race.h"
#include "scan/analysis/value.h"

/* Variables that are one piece of work. */
#define PIECE 16

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

/* Whether an annotation says that races on the variable are meant. */
static bool is_benign(struct dh_scan_run *run, const struct dh_scan_bucket *b)
{
	uint32_t at = run->benign.n ? b->place : 0;

	while (at && !dh_map_get(&run->benign, dh_sym_any_index(&run->syms, at), NULL))
		at = dh_scan_is_step(dh_scan_node(run->p, at)->op) ? dh_scan_node(run->p, at)->a
								   : 0;
	return at != 0;
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
	return write && several && !is_benign(run, b) && is_checked(run, b, g, handler);
}

/* A member of unknown objects says the same as the same member of known ones: once is enough. */
static bool is_told(
	struct dh_scan_run *run, const struct dh_scan_races *all, const struct dh_scan_race *r)
{
	for (uint32_t i = r->before; i; i = all->rows[i - 1].before) {
		const struct dh_scan_race *o = &all->rows[i - 1];
		uint32_t known = 0;

		for (uint32_t j = 0; j < r->n_pairs; j++)
			known += dh_scan_is_covered(run, o, r->pairs[j].a) &&
				 dh_scan_is_covered(run, o, r->pairs[j].b);
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
	for (uint32_t i = 0; i < r->n_pairs; i++)
		dh_scan_add_pair(into, r->pairs[i].a, r->pairs[i].b);
	if (into->n_members++ < 6)
		dh_buf_addf(&into->members, "%s%s", into->members.len ? ", " : "",
			variable_name(run, r));
	into->n_members += r->n_members;
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

/* From how many members on the objects of a type are passed around by a rule that is not seen. */
#define PASSED_AROUND 3

/* The type of the objects, if they are many and which one is meant is a guess; 0: not so. */
static uint32_t guessed_type(struct dh_scan_run *run, const struct dh_scan_race *r)
{
	uint32_t base = r->bucket.place ? dh_scan_base(run->p, r->bucket.place) : 0;
	const struct dh_sym *y = base ? dh_sym_of(&run->syms, base) : NULL;

	if (r->merged || !r->bucket.field || (base && !(y && y->kind == DH_SYM_HEAP && y->many)))
		return 0;
	return run->p->fields[r->bucket.field].owner;
}

/* Whoever does not see how objects are handed over sees races on all their members: one cause. */
static void merge_types(struct dh_scan_run *run, struct dh_scan_races *all)
{
	struct dh_map best = DH_MAP_INIT, count = DH_MAP_INIT;
	uint64_t no, n;

	for (uint32_t i = 0; i < all->n && !run->kernel && !run->library; i++) {
		uint32_t type = guessed_type(run, &all->rows[i]);

		n = 0;
		if (!type)
			continue;
		dh_map_get(&count, type, &n);
		dh_map_set(&count, type, n + 1);
		if (!dh_map_get(&best, type, &no) || all->rows[no].score < all->rows[i].score)
			dh_map_set(&best, type, i);
	}
	for (uint32_t i = 0; i < all->n && count.n; i++) {
		uint32_t type = guessed_type(run, &all->rows[i]);

		if (type && dh_map_get(&count, type, &n) && n >= PASSED_AROUND &&
			dh_map_get(&best, type, &no) && no != i)
			merge(run, &all->rows[no], &all->rows[i]);
	}
	dh_map_release(&best);
	dh_map_release(&count);
}

/* Variables that may have races; those of known objects first. */
static void find_candidates(
	struct dh_scan_run *run, const struct dh_scan_buckets *b, struct dh_scan_races *ret)
{
	for (uint32_t pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < b->n; i++) {
			struct dh_scan_race r = {.bucket = b->rows[i]};

			if ((b->rows[i].place == 0) != (pass == 1) ||
				(b->rows[i].place && !dh_scan_escapes(run, b->rows[i].place)))
				continue;
			r.guard = dh_scan_guard_of(run, &b->rows[i]);
			if (!may_race(run, &b->rows[i], &r.guard))
				continue;
			DH_GROW(ret->rows, ret->n, ret->cap);
			ret->rows[ret->n++] = r;
		}
}

/* Variables are compared by themselves: some of them make a piece of work. */
struct search {
	struct dh_scan_run *run;
	struct dh_scan_races *candidates;
};

static void search_piece(void *arg, size_t piece, struct dh_buf *out)
{
	const struct search *s = arg;

	for (size_t i = piece * PIECE; i < s->candidates->n && i < (piece + 1) * PIECE; i++) {
		struct dh_scan_race r = s->candidates->rows[i];
		bool sampled = dh_scan_find_pairs(s->run, &r.bucket, &r);

		dh_buf_add(out, &sampled, sizeof(sampled));
		dh_buf_add(out, &r.n_pairs, sizeof(r.n_pairs));
		dh_buf_add(out, r.pairs, r.n_pairs * sizeof(*r.pairs));
		free(r.pairs);
	}
}

static void take_piece(void *arg, size_t piece, const struct dh_buf *out)
{
	const struct search *s = arg;
	const char *at = out->data;

	for (size_t i = piece * PIECE; i < s->candidates->n && i < (piece + 1) * PIECE; i++) {
		struct dh_scan_race *r = &s->candidates->rows[i];
		bool sampled;

		memcpy(&sampled, at, sizeof(sampled));
		memcpy(&r->n_pairs, at + sizeof(sampled), sizeof(r->n_pairs));
		at += sizeof(sampled) + sizeof(r->n_pairs);
		s->run->counts.sampled += sampled;
		if (r->n_pairs)
			r->pairs = dh_memdup(at, r->n_pairs * sizeof(*r->pairs));
		r->cap_pairs = r->n_pairs;
		at += r->n_pairs * sizeof(*r->pairs);
	}
}

/* What is left of the candidates, each of which is freed or goes to all. */
static void choose(
	struct dh_scan_run *run, struct dh_scan_races *candidates, struct dh_scan_races *all)
{
	struct dh_map freed = DH_MAP_INIT, by_field = DH_MAP_INIT;

	for (uint32_t i = 0; i < candidates->n; i++) {
		struct dh_scan_race r = candidates->rows[i];

		r.before = last_of_field(&by_field, r.bucket.field);
		if (!r.n_pairs || is_told(run, all, &r) || is_free_told(run, &r, &freed)) {
			free(r.pairs);
			continue;
		}
		DH_GROW(all->rows, all->n, all->cap);
		all->rows[all->n++] = r;
		dh_map_set(&by_field, r.bucket.field, all->n);
	}
	free(candidates->rows);
	dh_map_release(&freed);
	dh_map_release(&by_field);
}

void dh_scan_find_races(struct dh_scan_run *run)
{
	struct dh_scan_buckets b = {0};
	struct dh_scan_races candidates = {0}, all = {0};
	struct search s = {run, &candidates};

	dh_scan_find_escapes(run);
	dh_scan_buckets_fill(run, &b);
	find_candidates(run, &b, &candidates);
	dh_parallel(run->o->jobs, (candidates.n + PIECE - 1) / PIECE, search_piece, take_piece, &s);
	choose(run, &candidates, &all);
	dh_scan_rank_races(run, &b, &all);
	merge_members(run, &all);
	merge_types(run, &all);
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
