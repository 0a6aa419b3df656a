#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "scan/ir/summary.h"

/* The largest numbers of locals, parameters and statements that a node mentions, plus one. */
struct reach {
	uint32_t locals, params, stmts;
};

/* Numbers of the summary to ids of the program; each has n entries, that of 0 is 0. */
struct map {
	uint32_t *id;
	uint32_t n;
};

struct reader {
	struct dh_scan_program *p;
	const uint8_t *at, *end;
	bool bad;
	struct map strings, types, fields, symbols, nodes;
	struct reach *reach; /* of each node */
};

static uint64_t get(struct reader *r)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
		uint8_t byte = *r->at++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	r->bad = true;
	return 0;
}

/* A number below limit. */
static uint32_t get_below(struct reader *r, uint64_t limit)
{
	uint64_t v = get(r);

	if (v < limit)
		return (uint32_t)v;
	r->bad = true;
	return 0;
}

static uint32_t get32(struct reader *r)
{
	return get_below(r, (uint64_t)UINT32_MAX + 1);
}

static uint32_t get_id(struct reader *r, const struct map *m)
{
	uint32_t n = get_below(r, m->n);

	return r->bad ? 0 : m->id[n];
}

/* A count of things that take at least one byte each. */
static uint32_t get_count(struct reader *r)
{
	uint32_t n = get_below(r, DH_SCAN_MAX_ITEMS);

	if (n > (size_t)(r->end - r->at))
		r->bad = true;
	return r->bad ? 0 : n;
}

static uint32_t read_string(struct reader *r)
{
	uint64_t n = get(r);
	char *s;
	uint32_t id;

	if (r->bad || n > (size_t)(r->end - r->at) || memchr(r->at, 0, n)) {
		r->bad = true;
		return 0;
	}
	s = dh_strndup((const char *)r->at, n);
	r->at += n;
	id = dh_scan_str(r->p, s);
	free(s);
	return id;
}

static uint32_t read_type(struct reader *r)
{
	struct dh_scan_type t = {
		.kind = (uint8_t)get_below(r, DH_SCAN_TYPE_KINDS),
		.name = get_id(r, &r->strings),
		.target = get_id(r, &r->types),
		.size = get(r),
	};

	return r->bad ? 0 : dh_scan_type_add(r->p, &t);
}

static uint32_t read_field(struct reader *r)
{
	struct dh_scan_field f = {
		.owner = get_id(r, &r->types),
		.name = get_id(r, &r->strings),
		.type = get_id(r, &r->types),
		.offset_bits = get32(r),
		.size_bits = get32(r),
		.storage_bits = get32(r),
		.bitfield = get_below(r, 2),
	};

	return r->bad ? 0 : dh_scan_field_add(r->p, &f);
}

static uint32_t read_symbol(struct reader *r)
{
	struct dh_scan_symbol s = {
		.name = get_id(r, &r->strings),
		.pretty = get_id(r, &r->strings),
		.flags = get32(r),
		.type = get_id(r, &r->types),
		.file = get_id(r, &r->strings),
		.line = get32(r),
		.alias = get_id(r, &r->symbols),
		.section = get_id(r, &r->strings),
	};

	return r->bad ? 0 : dh_scan_symbol_add(r->p, &s);
}

static struct reach join(struct reach x, struct reach y)
{
	return (struct reach){
		DH_MAX(x.locals, y.locals), DH_MAX(x.params, y.params), DH_MAX(x.stmts, y.stmts)};
}

/* The operand of a node: a node before it. */
static uint32_t operand(struct reader *r, uint32_t n, struct reach *reach)
{
	if (n >= r->nodes.n) {
		r->bad = true;
		return 0;
	}
	*reach = join(*reach, r->reach[n]);
	return r->nodes.id[n];
}

static bool resolve_node(struct reader *r, struct dh_scan_node *n, struct reach *reach)
{
	static const uint8_t subs[DH_SCAN_NODE_OPS] = {
		[DH_SCAN_BINARY] = DH_SCAN_BINARY_OPS,
		[DH_SCAN_COMPARE] = DH_SCAN_COMPARE_OPS,
	};

	if (n->sub >= DH_MAX(subs[n->op], 1))
		return false;
	switch (n->op) {
	case DH_SCAN_CONST:
		return true;
	case DH_SCAN_STRING:
		return !n->a && !n->b;
	case DH_SCAN_GLOBAL:
		if (!n->a || n->a >= r->symbols.n || n->b)
			return false;
		n->a = r->symbols.id[n->a];
		return n->a;
	case DH_SCAN_PARAM:
		reach->params = n->a + 1;
		return !n->b && reach->params;
	case DH_SCAN_FRAME:
		reach->locals = n->a + 1;
		return !n->b && reach->locals;
	case DH_SCAN_CALL:
		reach->stmts = n->a + 1;
		return !n->b && reach->stmts;
	case DH_SCAN_LOAD:
		n->a = operand(r, n->a, reach);
		return n->a && !n->b;
	case DH_SCAN_FIELD:
		if (!n->b || n->b >= r->fields.n)
			return false;
		n->a = operand(r, n->a, reach);
		n->b = r->fields.id[n->b];
		return n->a && n->b;
	case DH_SCAN_INDEX:
	case DH_SCAN_OFFSET:
	case DH_SCAN_BINARY:
	case DH_SCAN_COMPARE:
		n->a = operand(r, n->a, reach);
		n->b = operand(r, n->b, reach);
		return n->a && (n->b || n->op == DH_SCAN_INDEX) &&
		       (n->op != DH_SCAN_OFFSET || r->p->nodes[n->b].op == DH_SCAN_CONST);
	default:
		return false;
	}
}

static uint32_t read_node(struct reader *r)
{
	struct dh_scan_node n = {
		.op = (uint8_t)get_below(r, DH_SCAN_NODE_OPS),
		.sub = (uint8_t)get_below(r, 256),
		.a = get32(r),
		.b = get32(r),
	};
	struct reach reach = {0};

	if (r->bad || !resolve_node(r, &n, &reach)) {
		r->bad = true;
		return 0;
	}
	r->reach[r->nodes.n] = reach;
	return dh_scan_node_add(r->p, n);
}

/* Rows refer to rows before them only, since the map grows with them. */
static void read_table(struct reader *r, struct map *m, uint32_t (*row)(struct reader *r))
{
	uint32_t n = get_count(r);

	m->id = dh_new_n(uint32_t, (size_t)n + 1);
	m->id[0] = 0;
	m->n = 1;
	if (m == &r->nodes)
		r->reach = dh_zalloc(((size_t)n + 1) * sizeof(*r->reach));
	for (uint32_t i = 0; i < n && !r->bad; i++) {
		uint32_t id = row(r);

		m->id[m->n++] = id;
	}
}

/* A node that a function uses: what it mentions must be there. */
static uint32_t get_node(struct reader *r, const struct dh_scan_function *f)
{
	uint32_t n = get_below(r, r->nodes.n);
	const struct reach *reach = &r->reach[n];

	if (r->bad || reach->locals > f->n_locals || reach->params > f->n_params ||
		reach->stmts > f->n_stmts) {
		r->bad = true;
		return 0;
	}
	return r->nodes.id[n];
}

static void read_stmt(
	struct reader *r, const struct dh_scan_function *f, struct dh_scan_stmt *s, uint32_t *state)
{
	uint64_t step;

	s->op = (uint8_t)get_below(r, DH_SCAN_OPS);
	s->flags = (uint16_t)get_below(r, UINT16_MAX + 1);
	if (s->flags & DH_SCAN_ATOMIC)
		s->order = (uint8_t)get_below(r, DH_SCAN_ORDERS);
	step = get(r);
	state[0] += (uint32_t)(step & 1 ? -((step + 1) / 2) : step / 2);
	s->line = state[0];
	s->column = (uint16_t)get_below(r, UINT16_MAX + 1);
	s->addr = get_node(r, f);
	if (s->op == DH_SCAN_CALLS) {
		s->n_args = (uint16_t)get_below(r, UINT16_MAX + 1);
		s->value = state[1];
		state[1] += s->n_args;
		r->bad |= state[1] > f->n_args;
	} else {
		s->size = get32(r);
		s->value = get_node(r, f);
	}
	r->bad |= s->op == 0;
}

static void read_block(struct reader *r, const struct dh_scan_function *f, struct dh_scan_block *b)
{
	b->first = get32(r);
	b->n = get32(r);
	b->edge = get32(r);
	b->n_edges = get32(r);
	r->bad |= (uint64_t)b->first + b->n > f->n_stmts ||
		  (uint64_t)b->edge + b->n_edges > f->n_edges;
}

static void *list(struct reader *r, uint32_t n, size_t size)
{
	return n && !r->bad ? dh_arena_alloc(&r->p->arena, n * size) : NULL;
}

static void read_lists(struct reader *r, struct dh_scan_function *f)
{
	f->params = list(r, f->n_params, sizeof(*f->params));
	for (uint32_t i = 0; i < f->n_params && !r->bad; i++)
		f->params[i] = (struct dh_scan_param){
			.name = get_id(r, &r->strings), .type = get_id(r, &r->types)};
	f->locals = list(r, f->n_locals, sizeof(*f->locals));
	for (uint32_t i = 0; i < f->n_locals && !r->bad; i++)
		f->locals[i] = (struct dh_scan_local){.name = get_id(r, &r->strings),
			.type = get_id(r, &r->types),
			.flags = get32(r)};
	f->blocks = list(r, f->n_blocks, sizeof(*f->blocks));
	for (uint32_t i = 0; i < f->n_blocks && !r->bad; i++)
		read_block(r, f, &f->blocks[i]);
	f->edges = list(r, f->n_edges, sizeof(*f->edges));
	for (uint32_t i = 0; i < f->n_edges && !r->bad; i++)
		f->edges[i] = (struct dh_scan_edge){.to = get_below(r, f->n_blocks),
			.kind = get_below(r, DH_SCAN_EDGE_KINDS),
			.value = get_node(r, f)};
	f->elsewhere = list(r, f->n_elsewhere, sizeof(*f->elsewhere));
	for (uint32_t i = 0; i < f->n_elsewhere && !r->bad; i++)
		f->elsewhere[i] = (struct dh_scan_elsewhere){
			.stmt = get_below(r, f->n_stmts), .file = get_id(r, &r->strings)};
}

static void read_body(struct reader *r, struct dh_scan_function *f)
{
	uint32_t state[2] = {f->line, 0}; /* line, arguments */

	read_lists(r, f);
	f->stmts = list(r, f->n_stmts, sizeof(*f->stmts));
	for (uint32_t i = 0; i < f->n_stmts && !r->bad; i++)
		read_stmt(r, f, &f->stmts[i], state);
	f->args = list(r, f->n_args, sizeof(*f->args));
	for (uint32_t i = 0; i < f->n_args && !r->bad; i++)
		f->args[i] = get_node(r, f);
}

static void add_function(struct dh_scan_program *p, struct dh_scan_function *f)
{
	struct dh_scan_symbol *s = &p->symbols[f->symbol];

	if (s->function)
		return;
	DH_GROW(p->functions, p->n_functions, p->cap_functions);
	p->functions[p->n_functions] = f;
	s->function = p->n_functions++;
	s->flags |= DH_SCAN_SYM_DEFINED;
}

static struct dh_scan_function *read_function(struct reader *r)
{
	struct dh_scan_function *f = dh_arena_alloc(&r->p->arena, sizeof(*f));

	f->symbol = get_id(r, &r->symbols);
	f->file = get_id(r, &r->strings);
	f->line = get32(r);
	f->flags = get32(r);
	f->result = get_id(r, &r->types);
	f->n_params = get_count(r);
	f->n_locals = get_count(r);
	f->n_blocks = get_count(r);
	f->n_edges = get_count(r);
	f->n_elsewhere = get_count(r);
	f->n_stmts = get_count(r);
	f->n_args = get_count(r);
	r->bad |= !f->symbol || !f->n_blocks;
	if (!r->bad)
		read_body(r, f);
	return f;
}

static void read_rest(struct reader *r)
{
	static const struct dh_scan_function none;
	uint32_t n = get_count(r);

	for (uint32_t i = 0; i < n && !r->bad; i++) {
		uint32_t file = get_id(r, &r->strings);
		uint64_t lines = get(r);

		if (!r->bad)
			dh_scan_unit_add(r->p, dh_scan_text(r->p, file), lines);
	}
	n = get_count(r);
	for (uint32_t i = 0; i < n && !r->bad; i++) {
		uint32_t addr = get_node(r, &none), value = get_node(r, &none);

		if (!r->bad)
			dh_scan_init_add(r->p, addr, value);
	}
	n = get_count(r);
	for (uint32_t i = 0; i < n && !r->bad; i++) {
		struct dh_scan_fact fact = {.kind = get_id(r, &r->strings),
			.text = get_id(r, &r->strings),
			.symbol = get_id(r, &r->symbols),
			.field = get_id(r, &r->fields)};

		if (!r->bad)
			dh_scan_fact_add(r->p, &fact);
	}
}

/* Functions join the program only when everything could be read. */
static void read_all(struct reader *r)
{
	struct dh_scan_function **found;
	uint32_t n, n_units = r->p->n_units;

	read_table(r, &r->strings, read_string);
	read_table(r, &r->types, read_type);
	read_table(r, &r->fields, read_field);
	read_table(r, &r->symbols, read_symbol);
	read_table(r, &r->nodes, read_node);
	n = get_count(r);
	found = dh_new_n(struct dh_scan_function *, (size_t)n + 1);
	for (uint32_t i = 0; i < n && !r->bad; i++)
		found[i] = read_function(r);
	if (!r->bad)
		read_rest(r);
	r->bad |= r->at != r->end;
	for (uint32_t i = 0; i < n && !r->bad; i++) {
		found[i]->unit = r->p->n_units > n_units ? n_units : 0;
		add_function(r->p, found[i]);
	}
	free(found);
}

int dh_scan_summary_read(
	struct dh_scan_program *p, const void *bytes, size_t size, struct dh_error *err)
{
	struct reader r = {.p = p, .at = bytes, .end = (const uint8_t *)bytes + size};
	uint32_t n_units = p->n_units, n_inits = p->n_inits, n_facts = p->n_facts;

	read_all(&r);
	free(r.strings.id);
	free(r.types.id);
	free(r.fields.id);
	free(r.symbols.id);
	free(r.nodes.id);
	free(r.reach);
	if (!r.bad)
		return 0;
	p->n_units = n_units;
	p->n_inits = n_inits;
	p->n_facts = n_facts;
	return dh_error_set(err, EBADMSG, "the summary is damaged at byte %zu of %zu",
		(size_t)(r.at - (const uint8_t *)bytes), size);
}
