/* Accesses by the place that they are to: each may be to several. */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/bucket.h"
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"

#define MAX_PLACES 12

static struct dh_scan_bucket *bucket_of(
	struct dh_scan_buckets *b, uint64_t key, uint32_t place, uint32_t field)
{
	uint64_t no;

	if (dh_map_get(&b->index, key, &no))
		return &b->rows[no];
	dh_map_set(&b->index, key, b->n);
	DH_GROW(b->rows, b->n, b->cap);
	b->rows[b->n] = (struct dh_scan_bucket){.key = key, .place = place, .field = field};
	return &b->rows[b->n++];
}

static void put(struct dh_scan_bucket *b, uint32_t access)
{
	if (b->n && b->items[b->n - 1] == access)
		return;
	DH_GROW(b->items, b->n, b->cap);
	b->items[b->n++] = access;
}

static uint64_t field_key(uint32_t field)
{
	return UINT64_C(1) << 32 | field;
}

/* Accesses to whole objects, by the object's bottom. */
struct wholes {
	struct dh_map index; /* base node -> first + 1 */
	uint32_t *access, *place, *next;
	uint32_t n, cap, cap_place, cap_next;
};

static void add_whole(struct dh_scan_run *run, struct wholes *w, uint32_t access, uint32_t place)
{
	uint32_t base = dh_scan_base(run->p, place), n = w->n;
	uint64_t first = 0;

	dh_map_get(&w->index, base, &first);
	DH_GROW(w->access, w->n, w->cap);
	n = w->n;
	DH_GROW(w->place, n, w->cap_place);
	DH_GROW(w->next, n, w->cap_next);
	w->access[n] = access;
	w->place[n] = place;
	w->next[n] = (uint32_t)first;
	w->n++;
	dh_map_set(&w->index, base, w->n);
}

/* What is done to a whole object is done to each of its members. */
static void spread_wholes(struct dh_scan_run *run, struct dh_scan_buckets *b, struct wholes *w)
{
	for (uint32_t i = 0; i < b->n; i++) {
		uint32_t place = b->rows[i].place;
		uint64_t at = 0;

		if (!place)
			continue;
		dh_map_get(&w->index, dh_scan_base(run->p, place), &at);
		for (; at; at = w->next[at - 1])
			if (w->place[at - 1] != place &&
				dh_scan_contains(run->p, place, w->place[at - 1]))
				put(&b->rows[i], w->access[at - 1]);
	}
}

/* Whether a variable can have the member that the place names: a number or a text has none. */
static bool has_members(struct dh_scan_run *run, uint32_t place)
{
	uint32_t base = dh_scan_base(run->p, place), type = 0;
	const struct dh_scan_node *n = dh_scan_node(run->p, base);
	const struct dh_sym *y = dh_sym_of(&run->syms, base);

	if (!dh_sym_last_field(run->p, place))
		return true;
	if (n->op == DH_SCAN_GLOBAL)
		type = run->p->symbols[n->a].type;
	else if (y && y->kind == DH_SYM_FRAME && y->at < run->p->functions[y->fn]->n_locals)
		type = run->p->functions[y->fn]->locals[y->at].type;
	for (int i = 0; i < 4 && run->p->types[type].kind == DH_SCAN_TYPE_ARRAY; i++)
		type = run->p->types[type].target;
	return run->p->types[type].kind != DH_SCAN_TYPE_INT &&
	       run->p->types[type].kind != DH_SCAN_TYPE_POINTER;
}

static uint32_t without_members(struct dh_scan_run *run, uint32_t place)
{
	while (dh_sym_last_field(run->p, place))
		place = dh_scan_node(run->p, place)->a;
	return place;
}

/* The type of what stands at the address, as the code names it; 0: not known. */
static uint32_t type_at(struct dh_scan_run *run, uint32_t fn, uint32_t node)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, node);
	const struct dh_scan_function *f = run->p->functions[fn];

	switch (n->op) {
	case DH_SCAN_FIELD:
		return run->p->fields[n->b].type;
	case DH_SCAN_GLOBAL:
		return run->p->symbols[n->a].type;
	case DH_SCAN_FRAME:
		return n->a < f->n_locals ? f->locals[n->a].type : 0;
	default:
		return 0;
	}
}

/* The struct that is assigned as a whole; 0: it is none, or not known. */
static uint32_t assigned_type(struct dh_scan_run *run, const struct dh_scan_access *a)
{
	const struct dh_scan_stmt *s = &run->p->functions[a->fn]->stmts[a->stmt];
	const struct dh_scan_node *value;
	uint32_t type = 0;

	if (!(a->flags & DH_SA_WHOLE) || !a->size || run->kernel)
		return 0;
	if (s->op == DH_SCAN_WRITE || s->op == DH_SCAN_READ)
		type = type_at(run, a->fn, s->addr);
	if (!type && s->op == DH_SCAN_WRITE) {
		value = dh_scan_node(run->p, s->value);
		type = type_at(run, a->fn, value->op == DH_SCAN_LOAD ? value->a : s->value);
	}
	return run->p->types[type].kind == DH_SCAN_TYPE_STRUCT ? type : 0;
}

/* The members of structs, those of their members included; each list is made once. */
struct members {
	struct dh_map index; /* type -> list + 1 */
	uint32_t **lists;    /* of fields, ended by 0 */
	uint32_t n, cap;
};

#define MAX_DEPTH 4

static uint32_t *make_list(struct dh_scan_run *run, uint32_t type)
{
	bool *inside = dh_zalloc(run->p->n_types + 1);
	uint32_t *list = dh_new_n(uint32_t, run->p->n_fields + 1), n = 0;

	inside[type] = true;
	for (int depth = 0; depth < MAX_DEPTH; depth++)
		for (uint32_t f = 1; f < run->p->n_fields; f++) {
			uint32_t of = run->p->fields[f].type;

			if (inside[run->p->fields[f].owner] &&
				run->p->types[of].kind == DH_SCAN_TYPE_STRUCT)
				inside[of] = true;
		}
	for (uint32_t f = 1; f < run->p->n_fields; f++)
		if (inside[run->p->fields[f].owner])
			list[n++] = f;
	list[n] = 0;
	free(inside);
	return list;
}

static const uint32_t *members_of(struct dh_scan_run *run, struct members *m, uint32_t type)
{
	uint64_t no;

	if (dh_map_get(&m->index, type, &no))
		return m->lists[no];
	dh_map_set(&m->index, type, m->n);
	DH_GROW(m->lists, m->n, m->cap);
	return m->lists[m->n++] = make_list(run, type);
}

/* A struct that is assigned through a pointer: all that is known of its members is their type. */
static void find_unknown_wholes(struct dh_scan_run *run, struct members *m, bool *unknown_field)
{
	for (uint32_t i = 0; i < run->n_accesses; i++) {
		uint32_t type = assigned_type(run, &run->accesses[i]), place;

		if (!type || dh_scan_resolve(run, run->accesses[i].addr, &place, 1))
			continue;
		for (const uint32_t *f = members_of(run, m, type); *f; f++)
			unknown_field[*f] = true;
	}
}

/* Whole structs meet what is done to such members elsewhere. */
static void put_wholes(struct dh_scan_run *run, struct dh_scan_buckets *b, bool *unknown_field)
{
	struct members m = {0};

	find_unknown_wholes(run, &m, unknown_field);
	for (uint32_t i = 0; i < run->n_accesses; i++) {
		uint32_t type = assigned_type(run, &run->accesses[i]);

		if (!type)
			continue;
		for (const uint32_t *f = members_of(run, &m, type); *f; f++)
			if (unknown_field[*f])
				put(bucket_of(b, field_key(*f), 0, *f), i);
	}
	for (uint32_t i = 0; i < m.n; i++)
		free(m.lists[i]);
	free(m.lists);
	dh_map_release(&m.index);
}

static void place_access(struct dh_scan_run *run, struct dh_scan_buckets *b, struct wholes *w,
	uint32_t no, bool *unknown_field)
{
	const struct dh_scan_access *a = &run->accesses[no];
	uint32_t places[MAX_PLACES], field = dh_sym_last_field(run->p, a->addr);
	/* In a kernel objects are known by their type, as in RacerX: there are too many callers. */
	bool by_type = run->kernel && field &&
		       dh_scan_node(run->p, dh_scan_object(run->p, a->addr))->op != DH_SCAN_GLOBAL;
	uint32_t n = by_type ? 0 : dh_scan_resolve(run, a->addr, places, MAX_PLACES);

	for (uint32_t i = 0; i < n; i++) {
		/* Nobody frees a variable: the pointer is another one then. */
		if (a->flags & DH_SA_FREE &&
			dh_scan_node(run->p, dh_scan_base(run->p, places[i]))->op == DH_SCAN_GLOBAL)
			continue;
		/* Of several guesses, those that cannot be are dropped; a number that goes by
		 * another type is the number. */
		if (!has_members(run, places[i])) {
			if (n > 1)
				continue;
			places[i] = without_members(run, places[i]);
			put(bucket_of(b, places[i], places[i], 0), no);
			continue;
		}
		put(bucket_of(b, places[i], places[i], field), no);
		if (a->flags & DH_SA_WHOLE)
			add_whole(run, w, no, places[i]);
	}
	if (!n && field) {
		unknown_field[field] = true;
		put(bucket_of(b, field_key(field), 0, field), no);
	} else if (!n &&
		   dh_scan_node(run->p, dh_scan_object(run->p, a->addr))->op == DH_SCAN_LOAD) {
		uint32_t at = dh_sym_any_index(&run->syms, a->addr);

		put(bucket_of(b, at, at, 0), no);
	}
}

void dh_scan_buckets_fill(struct dh_scan_run *run, struct dh_scan_buckets *b)
{
	bool *unknown_field = dh_zalloc(run->p->n_fields + 1);
	struct wholes w = {0};

	for (uint32_t i = 0; i < run->n_accesses; i++)
		place_access(run, b, &w, i, unknown_field);
	spread_wholes(run, b, &w);
	put_wholes(run, b, unknown_field);
	/* Who accesses a member of an unknown object may meet any object with that member. */
	for (uint32_t i = 0; i < run->n_accesses; i++) {
		uint32_t field = dh_sym_last_field(run->p, run->accesses[i].addr);

		if (field && unknown_field[field])
			put(bucket_of(b, field_key(field), 0, field), i);
	}
	free(unknown_field);
	dh_map_release(&w.index);
	free(w.access);
	free(w.place);
	free(w.next);
}

void dh_scan_buckets_release(struct dh_scan_buckets *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		free(b->rows[i].items);
	free(b->rows);
	dh_map_release(&b->index);
}
