#include "scan/link/link.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/link/internal.h"

/* Functions of one type; more of them say nothing about a call. */
#define MAX_BY_TYPE 64

static uint64_t key(uint32_t function, uint32_t stmt)
{
	return (uint64_t)function << 32 | stmt;
}

void dh_scan_pool_add(struct dh_scan_links *l, uint32_t symbol)
{
	DH_GROW(l->pool, l->n_pool, l->cap_pool);
	l->pool[l->n_pool++] = symbol;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Sorts what was added to the pool since then, without repetitions. */
static void tidy(struct dh_scan_links *l, uint32_t first)
{
	uint32_t kept = first;

	if (l->n_pool > first)
		qsort(l->pool + first, l->n_pool - first, sizeof(*l->pool), by_number);
	for (uint32_t i = first; i < l->n_pool; i++) {
		if (kept == first || l->pool[kept - 1] != l->pool[i])
			l->pool[kept++] = l->pool[i];
	}
	l->n_pool = kept;
}

/* Functions whose address is taken, by type: a list per type through next. */
struct by_type {
	struct dh_map first; /* type -> 1 + symbol */
	uint32_t *next;
};

static void index_types(const struct dh_scan_program *p, struct by_type *t)
{
	uint64_t head;

	t->next = dh_zalloc(p->n_symbols * sizeof(*t->next));
	for (uint32_t i = 1; i < p->n_symbols; i++) {
		const struct dh_scan_symbol *s = &p->symbols[i];

		if (!(s->flags & DH_SCAN_SYM_ADDRESS) || !s->type)
			continue;
		t->next[i] = dh_map_get(&t->first, s->type, &head) ? (uint32_t)head : 0;
		dh_map_set(&t->first, s->type, i);
	}
}

static void add_by_type(struct dh_scan_links *l, const struct by_type *t, uint32_t type)
{
	const struct dh_scan_program *p = l->p;
	uint32_t first = l->n_pool, target;
	uint64_t s;

	while (p->types[type].kind == DH_SCAN_TYPE_ARRAY)
		type = p->types[type].target;
	target = p->types[type].target;
	if (p->types[target].kind != DH_SCAN_TYPE_FUNCTION || !dh_map_get(&t->first, target, &s))
		return;
	for (; s; s = t->next[s])
		dh_scan_pool_add(l, (uint32_t)s);
	if (l->n_pool - first > MAX_BY_TYPE)
		l->n_pool = first;
}

static enum dh_scan_certainty find_targets(struct dh_scan_links *l, struct dh_scan_classes *classes,
	const struct by_type *types, uint32_t function, const struct dh_scan_stmt *s)
{
	uint32_t known, slot, first = l->n_pool;

	if (dh_scan_virtual_targets(classes, l, function, s) > 0)
		return DH_SCAN_BY_FLOW;
	slot = dh_scan_value_slot(l, function, s->addr, &known);
	for (uint32_t i = 0; slot && i < l->slots[slot].n; i++)
		dh_scan_pool_add(l, l->slots[slot].functions[i]);
	if (l->n_pool > first)
		return DH_SCAN_BY_FLOW;
	add_by_type(l, types, dh_scan_value_type(l->p, function, s->addr));
	return l->n_pool > first ? DH_SCAN_BY_TYPE : DH_SCAN_BY_NOTHING;
}

static void resolve_calls(struct dh_scan_links *l)
{
	const struct dh_scan_program *p = l->p;
	struct dh_scan_classes *classes = dh_scan_classes_new(p);
	struct by_type types = {.first = DH_MAP_INIT};

	index_types(p, &types);
	for (uint32_t f = 1; f < p->n_functions; f++) {
		for (uint32_t i = 0; i < p->functions[f]->n_stmts; i++) {
			const struct dh_scan_stmt *s = &p->functions[f]->stmts[i];
			struct dh_scan_call_targets row = {.first = l->n_pool};

			if (s->op != DH_SCAN_CALLS || dh_scan_callee(p, s))
				continue;
			row.how = find_targets(l, classes, &types, f, s);
			tidy(l, row.first);
			row.n = l->n_pool - row.first;
			dh_map_set(&l->targets, key(f, i), l->n_rows);
			DH_GROW(l->rows, l->n_rows, l->cap_rows);
			l->rows[l->n_rows++] = row;
		}
	}
	dh_scan_classes_free(classes);
	dh_map_release(&types.first);
	free(types.next);
}

/* Another name for a function is the function. */
static void resolve_aliases(struct dh_scan_links *l)
{
	struct dh_scan_program *p = l->p;

	l->identity = dh_new_n(uint32_t, p->n_symbols);
	for (uint32_t i = 0; i < p->n_symbols; i++) {
		struct dh_scan_symbol *s = &p->symbols[i];

		l->identity[i] = i;
		if (!s->function && s->alias && p->symbols[s->alias].function) {
			s->function = p->symbols[s->alias].function;
			l->identity[i] = s->alias;
		}
	}
}

struct dh_scan_targets dh_scan_targets(
	const struct dh_scan_links *l, uint32_t function, uint32_t stmt)
{
	const struct dh_scan_stmt *s = &l->p->functions[function]->stmts[stmt];
	uint32_t callee = dh_scan_callee(l->p, s);
	const struct dh_scan_call_targets *row;
	uint64_t i;

	if (callee)
		return (struct dh_scan_targets){&l->identity[callee], 1, DH_SCAN_BY_NAME};
	if (!dh_map_get(&l->targets, key(function, stmt), &i))
		return (struct dh_scan_targets){NULL, 0, DH_SCAN_BY_NOTHING};
	row = &l->rows[i];
	return (struct dh_scan_targets){row->n ? l->pool + row->first : NULL, row->n, row->how};
}

struct dh_scan_targets dh_scan_functions_of(
	struct dh_scan_links *l, uint32_t function, uint32_t node)
{
	uint32_t known, slot = dh_scan_value_slot(l, function, node, &known);

	if (known)
		return (struct dh_scan_targets){&l->identity[known], 1, DH_SCAN_BY_NAME};
	if (!slot || !l->slots[slot].n)
		return (struct dh_scan_targets){NULL, 0, DH_SCAN_BY_NOTHING};
	return (struct dh_scan_targets){
		l->slots[slot].functions, l->slots[slot].n, DH_SCAN_BY_FLOW};
}

static void for_each_call(struct dh_scan_links *l,
	void (*each)(struct dh_scan_links *l, uint32_t symbol, uint32_t function, uint32_t stmt))
{
	const struct dh_scan_program *p = l->p;

	for (uint32_t f = 1; f < p->n_functions; f++) {
		for (uint32_t i = 0; i < p->functions[f]->n_stmts; i++) {
			struct dh_scan_targets t;

			if (p->functions[f]->stmts[i].op != DH_SCAN_CALLS)
				continue;
			t = dh_scan_targets(l, f, i);
			for (uint32_t k = 0; k < t.n; k++)
				each(l, t.symbols[k], f, i);
		}
	}
}

static void count_caller(struct dh_scan_links *l, uint32_t symbol, uint32_t function, uint32_t stmt)
{
	l->caller_first[symbol + 1]++;
}

/* caller_first[symbol] moves on while it is filled, and is put back afterwards. */
static void place_caller(struct dh_scan_links *l, uint32_t symbol, uint32_t function, uint32_t stmt)
{
	l->callers[l->caller_first[symbol]++] = (struct dh_scan_caller){function, stmt};
}

static void index_callers(struct dh_scan_links *l)
{
	uint32_t n = l->p->n_symbols;

	l->caller_first = dh_zalloc(((size_t)n + 1) * sizeof(uint32_t));
	for_each_call(l, count_caller);
	for (uint32_t i = 1; i <= n; i++)
		l->caller_first[i] += l->caller_first[i - 1];
	l->callers = dh_new_n(struct dh_scan_caller, (size_t)l->caller_first[n] + 1);
	for_each_call(l, place_caller);
	memmove(l->caller_first + 1, l->caller_first, n * sizeof(uint32_t));
	l->caller_first[0] = 0;
}

const struct dh_scan_caller *dh_scan_callers(
	const struct dh_scan_links *l, uint32_t symbol, uint32_t *ret_n)
{
	*ret_n = l->caller_first[symbol + 1] - l->caller_first[symbol];
	return l->callers + l->caller_first[symbol];
}

static uint32_t root(const struct dh_scan_links *l, uint32_t symbol)
{
	while (l->class_of[symbol] != symbol)
		symbol = l->class_of[symbol];
	return symbol;
}

/* The smaller number becomes the name of the class. */
static void unite(struct dh_scan_links *l, uint32_t a, uint32_t b)
{
	a = root(l, a);
	b = root(l, b);
	if (a != b)
		l->class_of[DH_MAX(a, b)] = DH_MIN(a, b);
}

static void make_classes(struct dh_scan_links *l)
{
	uint32_t n = l->p->n_symbols;

	l->class_of = dh_new_n(uint32_t, n);
	l->in_class = dh_zalloc(n);
	for (uint32_t i = 0; i < n; i++)
		l->class_of[i] = i;
	for (uint32_t s = 1; s < l->n_slots; s++) {
		for (uint32_t i = 0; i < l->slots[s].n; i++) {
			l->in_class[l->slots[s].functions[i]] = 1;
			unite(l, l->slots[s].functions[0], l->slots[s].functions[i]);
		}
	}
	for (uint32_t i = 0; i < n; i++)
		l->class_of[i] = root(l, i);
}

uint32_t dh_scan_class(const struct dh_scan_links *l, uint32_t symbol)
{
	return l->in_class[symbol] ? l->class_of[symbol] : 0;
}

struct dh_scan_links *dh_scan_link(struct dh_scan_program *p)
{
	struct dh_scan_links *l = dh_new(struct dh_scan_links);

	l->p = p;
	resolve_aliases(l);
	dh_scan_flow(l);
	resolve_calls(l);
	index_callers(l);
	make_classes(l);
	return l;
}

void dh_scan_links_free(struct dh_scan_links *l)
{
	if (!l)
		return;
	for (uint32_t i = 1; i < l->n_slots; i++)
		free(l->slots[i].functions);
	free(l->slots);
	free(l->edges);
	free(l->calls);
	free(l->queue);
	free(l->rows);
	free(l->pool);
	free(l->caller_first);
	free(l->callers);
	free(l->class_of);
	free(l->in_class);
	free(l->identity);
	dh_map_release(&l->slot_of);
	dh_map_release(&l->targets);
	free(l);
}
