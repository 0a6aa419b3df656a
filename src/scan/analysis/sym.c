#include "scan/analysis/sym.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* More alternatives than this are "unknown". */
#define MAX_SET  8
#define MAX_BIND 64

/* Bit-fields that follow each other without a gap are read and written together. */
static void find_units(struct dh_syms *s)
{
	const struct dh_scan_program *p = s->p;
	struct dh_map end = DH_MAP_INIT; /* owner, bit behind -> bit-field that ends there */

	s->unit = dh_new_n(uint32_t, p->n_fields + 1);
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct dh_scan_field *f = &p->fields[i];

		s->unit[i] = i;
		if (f->bitfield)
			dh_map_set(&end, (uint64_t)f->owner << 32 | (f->offset_bits + f->size_bits),
				i);
	}
	for (uint32_t i = 0; i < p->n_fields; i++) {
		uint64_t before;

		for (uint32_t at = i, n = 0; p->fields[i].bitfield && n < 64; n++) {
			const struct dh_scan_field *f = &p->fields[at];

			s->unit[i] = at;
			if (!dh_map_get(&end, (uint64_t)f->owner << 32 | f->offset_bits, &before))
				break;
			at = (uint32_t)before;
		}
	}
	dh_map_release(&end);
}

/* Where a unit only declares a variable, the compiler does not describe its type, and members are
 * named by their place: "+16".  Another unit knows better. */
static void find_names(struct dh_syms *s)
{
	const struct dh_scan_program *p = s->p;
	struct dh_map named = DH_MAP_INIT; /* owner, bit -> member */
	uint64_t known;

	s->same = dh_new_n(uint32_t, p->n_fields + 1);
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct dh_scan_field *f = &p->fields[i];

		s->same[i] = i;
		if (!f->bitfield && *dh_scan_text(p, f->name) != '+')
			dh_map_set(&named, (uint64_t)f->owner << 32 | f->offset_bits, i);
	}
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct dh_scan_field *f = &p->fields[i];

		if (*dh_scan_text(p, f->name) == '+' &&
			dh_map_get(&named, (uint64_t)f->owner << 32 | f->offset_bits, &known))
			s->same[i] = (uint32_t)known;
	}
	dh_map_release(&named);
}

void dh_syms_init(struct dh_syms *s, struct dh_scan_program *p)
{
	*s = (struct dh_syms){.p = p};
	find_units(s);
	find_names(s);
	DH_GROW(s->rows, s->n, s->cap);
	s->rows[s->n++] = (struct dh_sym){0};
}

void dh_syms_release(struct dh_syms *s)
{
	for (uint32_t i = 1; i < s->n; i++)
		free(s->rows[i].values);
	free(s->rows);
	free(s->unit);
	free(s->same);
	dh_map_release(&s->index);
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h ^= v + UINT64_C(0x9e3779b97f4a7c15) + (h << 6) + (h >> 2);
	return h * UINT64_C(0xff51afd7ed558ccd);
}

static bool same(
	const struct dh_sym *a, enum dh_sym_kind kind, uint32_t fn, uint32_t at, uint32_t other)
{
	return a->kind == kind && a->fn == fn && a->at == at && a->other == other;
}

static uint32_t new_row(
	struct dh_syms *s, enum dh_sym_kind kind, uint32_t fn, uint32_t at, uint32_t other)
{
	uint32_t no = s->n;

	DH_GROW(s->rows, s->n, s->cap);
	s->rows[s->n++] =
		(struct dh_sym){.kind = (uint8_t)kind, .fn = fn, .at = at, .other = other};
	uint32_t node = dh_scan_node_add(
		s->p, (struct dh_scan_node){.op = DH_SCAN_THREAD, .size = 1, .a = no});

	s->rows[no].node = node;
	return node;
}

uint32_t dh_sym_get(
	struct dh_syms *s, enum dh_sym_kind kind, uint32_t fn, uint32_t at, uint32_t other)
{
	uint64_t key = mix(mix(mix(kind, fn), at), other), no;

	/* A key that two symbols share is tried again with a step. */
	while (dh_map_get(&s->index, key, &no)) {
		if (same(&s->rows[no], kind, fn, at, other))
			return s->rows[no].node;
		key++;
	}
	dh_map_set(&s->index, key, s->n);
	return new_row(s, kind, fn, at, other);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static size_t flatten(
	struct dh_syms *s, const uint32_t *values, size_t n, uint32_t *ret, size_t max)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		struct dh_sym *y = dh_sym_of(s, values[i]);
		const uint32_t *list = y && y->kind == DH_SYM_SET ? y->values : &values[i];
		size_t m = y && y->kind == DH_SYM_SET ? y->n_values : 1;

		for (size_t j = 0; j < m; j++) {
			bool known = false;

			for (size_t l = 0; l < k; l++)
				known |= ret[l] == list[j];
			if (known)
				continue;
			if (k == max)
				return max + 1;
			ret[k++] = list[j];
		}
	}
	return k;
}

uint32_t dh_sym_set(struct dh_syms *s, const uint32_t *values, size_t n, uint32_t choice)
{
	uint32_t list[MAX_SET];
	size_t k = flatten(s, values, n, list, MAX_SET);
	uint64_t h = mix(DH_SYM_SET, choice), no;

	if (k == 0 || k > MAX_SET)
		return 0;
	if (k == 1)
		return list[0];
	qsort(list, k, sizeof(*list), by_number);
	for (size_t i = 0; i < k; i++)
		h = mix(h, list[i]);
	while (dh_map_get(&s->index, h, &no)) {
		const struct dh_sym *y = &s->rows[no];

		if (y->kind == DH_SYM_SET && y->other == choice && y->n_values == k &&
			!memcmp(y->values, list, k * sizeof(*list)))
			return y->node;
		h++;
	}
	dh_map_set(&s->index, h, s->n);
	uint32_t node = new_row(s, DH_SYM_SET, 0, 0, choice);
	struct dh_sym *y = dh_sym_of(s, node);

	y->values = dh_memdup(list, k * sizeof(*list));
	y->n_values = y->cap_values = (uint32_t)k;
	return node;
}

void dh_sym_bind(struct dh_syms *s, uint32_t node, uint32_t value)
{
	struct dh_sym *y = dh_sym_of(s, node);

	if (!y || !value || value == node) {
		if (y && !value)
			y->more = true;
		return;
	}
	for (uint32_t i = 0; i < y->n_values; i++)
		if (y->values[i] == value)
			return;
	if (y->n_values == MAX_BIND) {
		y->more = true;
		return;
	}
	DH_GROW(y->values, y->n_values, y->cap_values);
	y->values[y->n_values++] = value;
}

uint32_t dh_sym_subst(struct dh_syms *s, uint32_t node, uint32_t from, uint32_t to)
{
	struct dh_scan_node n = *dh_scan_node(s->p, node);

	if (node == from)
		return to;
	if (n.size <= dh_scan_node(s->p, from)->size || !dh_scan_may_contain(s->p, node, from))
		return node;
	switch (n.op) {
	case DH_SCAN_LOAD:
	case DH_SCAN_FIELD:
	case DH_SCAN_OFFSET: {
		uint32_t a = dh_sym_subst(s, n.a, from, to);
		int64_t off = 0;

		if (a == n.a)
			return node;
		if (n.op == DH_SCAN_LOAD)
			return dh_scan_load(s->p, a);
		if (n.op == DH_SCAN_FIELD)
			return dh_scan_field_of(s->p, a, n.b);
		dh_scan_is_const(s->p, n.b, &off);
		return dh_scan_offset(s->p, a, off);
	}
	case DH_SCAN_INDEX:
	case DH_SCAN_BINARY:
	case DH_SCAN_COMPARE: {
		uint32_t a = dh_sym_subst(s, n.a, from, to), b = dh_sym_subst(s, n.b, from, to);

		if (a == n.a && b == n.b)
			return node;
		if (n.op == DH_SCAN_INDEX)
			return dh_scan_index(s->p, a, b);
		if (n.op == DH_SCAN_BINARY)
			return dh_scan_binary(s->p, n.sub, a, b);
		return dh_scan_compare(s->p, n.sub, a, b);
	}
	default:
		return node;
	}
}

uint32_t dh_sym_last_field(const struct dh_scan_program *p, uint32_t node)
{
	for (;;) {
		const struct dh_scan_node *n = dh_scan_node(p, node);

		if (n->op == DH_SCAN_FIELD)
			return n->b;
		if (n->op != DH_SCAN_INDEX && n->op != DH_SCAN_OFFSET)
			return 0;
		node = n->a;
	}
}

uint32_t dh_sym_any_index(struct dh_syms *s, uint32_t node)
{
	struct dh_scan_node n = *dh_scan_node(s->p, node);
	int64_t off = 0;
	uint32_t a;

	switch (n.op) {
	case DH_SCAN_LOAD:
		return dh_scan_load(s->p, dh_sym_any_index(s, n.a));
	case DH_SCAN_FIELD:
		/* Members of a union are in one place. */
		a = dh_sym_any_index(s, n.a);
		return s->p->types[s->p->fields[n.b].owner].kind == DH_SCAN_TYPE_UNION
			       ? a
			       : dh_scan_field_of(s->p, a, s->unit[n.b]);
	case DH_SCAN_OFFSET:
		dh_scan_is_const(s->p, n.b, &off);
		return dh_scan_offset(s->p, dh_sym_any_index(s, n.a), off);
	case DH_SCAN_INDEX:
		/* Elements of elements and the first element are all "the array". */
		return dh_sym_any_index(s, n.a);
	default:
		return node;
	}
}

bool dh_sym_is_placed(const struct dh_syms *s, uint32_t node)
{
	return node && dh_scan_object(s->p, node) == dh_scan_base(s->p, node);
}

bool dh_sym_is_concrete(const struct dh_syms *s, uint32_t node)
{
	uint32_t base = dh_scan_base(s->p, node);

	if (!dh_sym_is_placed(s, node))
		return false;
	const struct dh_sym *y = dh_sym_of(s, base);

	if (!y)
		return dh_scan_node(s->p, base)->op == DH_SCAN_GLOBAL;
	return (y->kind == DH_SYM_HEAP || y->kind == DH_SYM_FRAME || y->kind == DH_SYM_NAMED) &&
	       !y->many;
}
