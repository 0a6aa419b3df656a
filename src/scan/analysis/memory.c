/* What may be where in memory, for the whole program: values are collected as they are stored, by
 * address with any index, and never removed.  Where the executing state knows better, it wins. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"

#define MAX_VALUES 48
#define MAX_DEPTH  12
/* Steps of one search: what is behind more pointers than that is not known. */
#define MAX_WORK 150

/* One object for all generations of an allocation and all instances of a thread's own. */
static uint32_t plain_base(struct dh_scan_run *run, uint32_t base)
{
	struct dh_sym *y;

	while ((y = dh_sym_of(&run->syms, base))) {
		if (y->kind == DH_SYM_OLD)
			base = run->syms.rows[y->other].node;
		else if (y->kind == DH_SYM_OWN)
			base = y->other;
		else
			break;
	}
	return base;
}

static uint32_t canonical(struct dh_scan_run *run, uint32_t addr)
{
	uint32_t node = dh_sym_any_index(&run->syms, addr), base = dh_scan_base(run->p, node);
	uint32_t plain = plain_base(run, base);

	return plain == base ? node : dh_sym_subst(&run->syms, node, base, plain);
}

static struct dh_sym *row_of(struct dh_scan_run *run, uint32_t addr, bool make)
{
	uint64_t no;

	if (dh_map_get(&run->memory, addr, &no))
		return &run->rows[no];
	if (!make)
		return NULL;
	dh_map_set(&run->memory, addr, run->n_rows);
	DH_GROW(run->rows, run->n_rows, run->cap_rows);
	run->rows[run->n_rows] = (struct dh_sym){0};
	return &run->rows[run->n_rows++];
}

static void add_value(struct dh_sym *row, uint32_t value)
{
	for (uint32_t i = 0; i < row->n_values; i++)
		if (row->values[i] == value)
			return;
	if (row->n_values == MAX_VALUES) {
		row->more = true;
		return;
	}
	DH_GROW(row->values, row->n_values, row->cap_values);
	row->values[row->n_values++] = value;
}

/* Only addresses are worth keeping. */
static bool is_pointer(struct dh_scan_run *run, uint32_t value)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, dh_scan_object(run->p, value));

	return n->op == DH_SCAN_GLOBAL || n->op == DH_SCAN_LOAD || n->op == DH_SCAN_THREAD;
}

/* The same store again, in another situation: it was looked at in this pass. */
static bool is_stored(struct dh_scan_run *run, uint32_t addr, uint32_t value)
{
	uint64_t key = (uint64_t)addr << 32 | value;

	if (dh_map_get(&run->stored, key, NULL))
		return true;
	dh_map_set(&run->stored, key, 1);
	return false;
}

void dh_scan_memory_add(struct dh_scan_run *run, uint32_t addr, uint32_t value)
{
	uint32_t places[8], n;

	if (!addr || !value || !is_pointer(run, value))
		return;
	if (run->kernel && !dh_sym_is_concrete(&run->syms, value))
		return;
	if (is_stored(run, addr, value))
		return;
	if (dh_sym_is_placed(&run->syms, addr) &&
		dh_sym_kind(&run->syms, dh_scan_base(run->p, addr)) != DH_SYM_PARAM) {
		add_value(row_of(run, canonical(run, addr), true), value);
		return;
	}
	n = dh_scan_resolve(run, addr, places, DH_ARRAY_SIZE(places));
	for (uint32_t i = 0; i < n; i++)
		add_value(row_of(run, places[i], true), value);
	if (!n)
		add_value(row_of(run, canonical(run, addr), true), value);
}

const uint32_t *dh_scan_memory_get(
	struct dh_scan_run *run, uint32_t addr, uint32_t *ret_n, bool *more)
{
	uint32_t at = canonical(run, addr);
	struct dh_sym *row = row_of(run, at, false);

	*ret_n = row ? row->n_values : 0;
	*more = row && row->more;
	return row ? row->values : NULL;
}

static bool is_number(const struct dh_scan_run *run, uint32_t global)
{
	uint32_t type = run->p->symbols[dh_scan_node(run->p, global)->a].type;

	return run->p->types[type].kind == DH_SCAN_TYPE_INT;
}

void dh_scan_memory_seed(struct dh_scan_run *run)
{
	for (uint32_t i = 0; i < run->p->n_inits; i++) {
		const struct dh_scan_init *init = &run->p->inits[i];
		int64_t v;

		if (dh_scan_is_const(run->p, init->value, &v) &&
			dh_scan_node(run->p, init->addr)->op == DH_SCAN_GLOBAL &&
			is_number(run, init->addr))
			dh_map_set(&run->initial, init->addr, (uint64_t)v);
		else if (dh_scan_is_const(run->p, init->value, &v))
			dh_map_set(&run->recursive, dh_sym_any_index(&run->syms, init->addr), 1);
		else
			dh_scan_memory_add(run, init->addr, init->value);
	}
}

bool dh_scan_alternative(struct dh_scan_run *run, uint32_t value)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, value);
	const struct dh_sym *y = dh_sym_of(&run->syms, dh_scan_base(run->p, value));
	int64_t v;

	if (dh_scan_is_const(run->p, value, &v))
		return v == 0;
	if (n->op == DH_SCAN_INDEX && !dh_scan_is_const(run->p, n->b, &v))
		return false;
	if (!dh_sym_is_placed(&run->syms, value))
		return false;
	if (!y)
		return dh_scan_node(run->p, dh_scan_base(run->p, value))->op == DH_SCAN_GLOBAL ||
		       n->op == DH_SCAN_STRING;
	return y->kind == DH_SYM_HEAP || y->kind == DH_SYM_FRAME || y->kind == DH_SYM_SET ||
	       y->kind == DH_SYM_THREAD || y->kind == DH_SYM_OLD || y->kind == DH_SYM_OWN ||
	       y->taken;
}

struct search {
	uint32_t *ret;
	uint32_t n, max;
	uint32_t seen[64];
	uint32_t n_seen;
	int depth;
	uint32_t *work; /* steps that are left for the whole search */
};

static void found(struct search *s, uint32_t node)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->ret[i] == node)
			return;
	if (s->n < s->max)
		s->ret[s->n++] = node;
}

static void resolve(struct dh_scan_run *run, struct search *s, uint32_t addr);

/* The address with its object exchanged. */
static void resolve_at(
	struct dh_scan_run *run, struct search *s, uint32_t addr, uint32_t object, uint32_t value)
{
	int64_t v;

	if (value && value != object && !dh_scan_is_const(run->p, value, &v))
		resolve(run, s, dh_sym_subst(&run->syms, addr, object, value));
}

static void resolve_values(
	struct dh_scan_run *run, struct search *s, uint32_t addr, uint32_t object)
{
	uint32_t no = dh_scan_node(run->p, object)->a;

	/* The table may grow while it is walked. */
	for (uint32_t i = 0; i < run->syms.rows[no].n_values; i++)
		resolve_at(run, s, addr, object, run->syms.rows[no].values[i]);
}

static void resolve_load(struct dh_scan_run *run, struct search *s, uint32_t addr, uint32_t object)
{
	uint32_t cells[8], n_values;
	struct search inner = {
		.ret = cells, .max = 8, .depth = s->depth, .n_seen = s->n_seen, .work = s->work};
	bool more;

	memcpy(inner.seen, s->seen, sizeof(s->seen));
	resolve(run, &inner, dh_scan_node(run->p, object)->a);
	for (uint32_t i = 0; i < inner.n; i++) {
		dh_scan_memory_get(run, cells[i], &n_values, &more);
		for (uint32_t j = 0; j < n_values; j++) {
			const uint32_t *values =
				dh_scan_memory_get(run, cells[i], &n_values, &more);

			resolve_at(run, s, addr, object, values[j]);
		}
	}
}

static void resolve(struct dh_scan_run *run, struct search *s, uint32_t addr)
{
	uint32_t object = dh_scan_object(run->p, addr);
	const struct dh_sym *y = dh_sym_of(&run->syms, object);
	uint8_t op = dh_scan_node(run->p, object)->op;

	if (!addr || s->depth >= MAX_DEPTH || s->n == s->max || !*s->work)
		return;
	--*s->work;
	for (uint32_t i = 0; i < s->n_seen; i++)
		if (s->seen[i] == addr)
			return;
	if (s->n_seen == DH_ARRAY_SIZE(s->seen))
		return;
	s->seen[s->n_seen++] = addr;
	s->depth++;
	if (op == DH_SCAN_LOAD)
		resolve_load(run, s, addr, object);
	else if (op == DH_SCAN_GLOBAL || (y && (y->kind == DH_SYM_HEAP || y->kind == DH_SYM_FRAME ||
						       y->kind == DH_SYM_NAMED)))
		found(s, canonical(run, addr));
	else if (y && (y->kind == DH_SYM_OLD || y->kind == DH_SYM_OWN))
		resolve_at(run, s, addr, object,
			y->kind == DH_SYM_OLD ? run->syms.rows[y->other].node : y->other);
	else if (y)
		resolve_values(run, s, addr, object);
	s->depth--;
}

static uint32_t search(struct dh_scan_run *run, uint32_t addr, uint32_t *ret, uint32_t max)
{
	uint32_t work = MAX_WORK;
	struct search s = {.ret = ret, .max = max, .work = &work};

	resolve(run, &s, addr);
	return s.n;
}

/* Once nothing changes any more, an address is looked up once.  Answers stand in a pool: their
 * number, then the places. */
static uint32_t recall(struct dh_scan_run *run, uint32_t addr, uint32_t *ret, uint32_t max)
{
	uint64_t key = (uint64_t)addr << 8 | (max & 0xff), at;
	uint32_t n;

	if (!dh_map_get(&run->resolved, key, &at)) {
		n = search(run, addr, ret, max);
		at = run->n_places;
		for (uint32_t i = 0; i <= n; i++) {
			DH_GROW(run->places, run->n_places, run->cap_places);
			run->places[run->n_places++] = i ? ret[i - 1] : n;
		}
		dh_map_set(&run->resolved, key, at);
		return n;
	}
	n = run->places[at];
	memcpy(ret, run->places + at + 1, n * sizeof(*ret));
	return n;
}

uint32_t dh_scan_resolve(struct dh_scan_run *run, uint32_t addr, uint32_t *ret, uint32_t max)
{
	return run->settled ? recall(run, addr, ret, max) : search(run, addr, ret, max);
}
