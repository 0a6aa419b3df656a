#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "scan/ir/summary.h"

/* Each kind of thing has its own table: numbers of what was written already, and the rows. */
struct table {
	uint32_t *number; /* id in the program -> 1 + number in the summary; 0: not written yet */
	uint32_t n;
	struct dh_buf rows;
};

struct writer {
	struct dh_scan_program *p;
	struct table strings, types, fields, symbols, nodes;
	struct dh_buf functions, rest;
};

static void put(struct dh_buf *b, uint64_t v)
{
	while (v >= 0x80) {
		dh_buf_addc(b, (char)(v | 0x80));
		v >>= 7;
	}
	dh_buf_addc(b, (char)v);
}

static void put_text(struct dh_buf *b, const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	put(b, n);
	dh_buf_add(b, s, n);
}

/* The number for an id; id 0 is 0 everywhere.  1: it is new and its row is to be written. */
static bool is_new(struct table *t, uint32_t id, uint32_t *ret)
{
	bool fresh = id && !t->number[id];

	if (fresh)
		t->number[id] = ++t->n;
	*ret = id ? t->number[id] : 0;
	return fresh;
}

static uint32_t string(struct writer *w, uint32_t id)
{
	uint32_t n;

	if (is_new(&w->strings, id, &n))
		put_text(&w->strings.rows, dh_scan_text(w->p, id));
	return n;
}

/* What a thing refers to gets its row first, except where a cycle makes that impossible. */
static uint32_t type(struct writer *w, uint32_t id)
{
	const struct dh_scan_type *t = &w->p->types[id];
	uint32_t n, target, name;

	if (!id || w->types.number[id])
		return id ? w->types.number[id] : 0;
	target = type(w, t->target);
	name = string(w, t->name);
	is_new(&w->types, id, &n);
	put(&w->types.rows, t->kind);
	put(&w->types.rows, name);
	put(&w->types.rows, target);
	put(&w->types.rows, t->size);
	return n;
}

static uint32_t field(struct writer *w, uint32_t id)
{
	const struct dh_scan_field *f = &w->p->fields[id];
	uint32_t n, owner = 0, name = 0, own = 0;
	struct dh_buf *b = &w->fields.rows;

	if (id && !w->fields.number[id]) {
		owner = type(w, f->owner);
		name = string(w, f->name);
		own = type(w, f->type);
	}
	if (is_new(&w->fields, id, &n)) {
		put(b, owner);
		put(b, name);
		put(b, own);
		put(b, f->offset_bits);
		put(b, f->size_bits);
		put(b, f->storage_bits);
		put(b, f->bitfield);
	}
	return n;
}

static uint32_t symbol(struct writer *w, uint32_t id)
{
	const struct dh_scan_symbol *s = &w->p->symbols[id];
	uint32_t n, alias;
	struct dh_buf *b = &w->symbols.rows;

	if (!id || w->symbols.number[id])
		return id ? w->symbols.number[id] : 0;
	/* Aliases do not chain. */
	alias = w->p->symbols[s->alias].alias ? 0 : symbol(w, s->alias);
	is_new(&w->symbols, id, &n);
	put(b, string(w, s->name));
	put(b, string(w, s->pretty));
	put(b, s->flags);
	put(b, type(w, s->type));
	put(b, string(w, s->file));
	put(b, s->line);
	put(b, alias);
	put(b, string(w, s->section));
	return n;
}

static bool has_node_a(uint8_t op)
{
	return op == DH_SCAN_LOAD || op == DH_SCAN_FIELD || op == DH_SCAN_INDEX ||
	       op == DH_SCAN_OFFSET || op == DH_SCAN_BINARY || op == DH_SCAN_COMPARE;
}

static uint32_t node(struct writer *w, uint32_t id)
{
	struct dh_scan_node n = w->p->nodes[id];
	uint32_t number;
	struct dh_buf *b = &w->nodes.rows;

	if (!id || w->nodes.number[id])
		return id ? w->nodes.number[id] : 0;
	if (n.op == DH_SCAN_FIELD)
		n.b = field(w, n.b);
	else if (has_node_a(n.op) && n.op != DH_SCAN_LOAD)
		n.b = node(w, n.b);
	else if (n.op == DH_SCAN_GLOBAL)
		n.a = symbol(w, n.a);
	if (has_node_a(n.op))
		n.a = node(w, n.a);
	is_new(&w->nodes, id, &number);
	put(b, n.op);
	put(b, n.sub);
	put(b, n.a);
	put(b, n.b);
	return number;
}

static void write_stmt(struct writer *w, const struct dh_scan_stmt *s, uint32_t *line)
{
	struct dh_buf *b = &w->functions;
	/* Lines go up and down by little: zigzag of the difference. */
	int64_t step = (int64_t)s->line - *line;

	*line = s->line;
	put(b, s->op);
	put(b, s->flags);
	if (s->flags & DH_SCAN_ATOMIC)
		put(b, s->order);
	put(b, (uint64_t)(step < 0 ? -step * 2 - 1 : step * 2));
	put(b, s->column);
	put(b, node(w, s->addr));
	if (s->op == DH_SCAN_CALLS) {
		put(b, s->n_args);
	} else {
		put(b, s->size);
		put(b, node(w, s->value));
	}
}

static void write_lists(struct writer *w, const struct dh_scan_function *f)
{
	struct dh_buf *b = &w->functions;

	for (uint32_t i = 0; i < f->n_params; i++) {
		put(b, string(w, f->params[i].name));
		put(b, type(w, f->params[i].type));
	}
	for (uint32_t i = 0; i < f->n_locals; i++) {
		put(b, string(w, f->locals[i].name));
		put(b, type(w, f->locals[i].type));
		put(b, f->locals[i].flags);
	}
	for (uint32_t i = 0; i < f->n_blocks; i++) {
		put(b, f->blocks[i].first);
		put(b, f->blocks[i].n);
		put(b, f->blocks[i].edge);
		put(b, f->blocks[i].n_edges);
	}
	for (uint32_t i = 0; i < f->n_edges; i++) {
		put(b, f->edges[i].to);
		put(b, f->edges[i].kind);
		put(b, node(w, f->edges[i].value));
	}
	for (uint32_t i = 0; i < f->n_elsewhere; i++) {
		put(b, f->elsewhere[i].stmt);
		put(b, string(w, f->elsewhere[i].file));
	}
}

static void write_function(struct writer *w, const struct dh_scan_function *f)
{
	struct dh_buf *b = &w->functions;
	uint32_t line = f->line;

	put(b, symbol(w, f->symbol));
	put(b, string(w, f->file));
	put(b, f->line);
	put(b, f->flags);
	put(b, type(w, f->result));
	put(b, f->n_params);
	put(b, f->n_locals);
	put(b, f->n_blocks);
	put(b, f->n_edges);
	put(b, f->n_elsewhere);
	put(b, f->n_stmts);
	put(b, f->n_args);
	write_lists(w, f);
	for (uint32_t i = 0; i < f->n_stmts; i++)
		write_stmt(w, &f->stmts[i], &line);
	for (uint32_t i = 0; i < f->n_args; i++)
		put(b, node(w, f->args[i]));
}

static void write_rest(struct writer *w, bool all)
{
	const struct dh_scan_program *p = w->p;
	struct dh_buf *b = &w->rest;

	put(b, all ? p->n_units - 1 : 0);
	for (uint32_t i = 1; all && i < p->n_units; i++) {
		put(b, string(w, p->units[i].file));
		put(b, p->units[i].lines);
	}
	put(b, all ? p->n_inits : 0);
	for (uint32_t i = 0; all && i < p->n_inits; i++) {
		put(b, node(w, p->inits[i].addr));
		put(b, node(w, p->inits[i].value));
	}
	put(b, all ? p->n_facts : 0);
	for (uint32_t i = 0; all && i < p->n_facts; i++) {
		put(b, string(w, p->facts[i].kind));
		put(b, string(w, p->facts[i].text));
		put(b, symbol(w, p->facts[i].symbol));
		put(b, field(w, p->facts[i].field));
	}
	/* Functions that are only another name are called by nobody here. */
	for (uint32_t i = 1; all && i < p->n_symbols; i++) {
		if (p->symbols[i].alias)
			symbol(w, i);
	}
}

static void emit(struct table *t, struct dh_buf *out)
{
	put(out, t->n);
	dh_buf_add(out, dh_buf_str(&t->rows), t->rows.len);
	dh_buf_release(&t->rows);
	free(t->number);
}

static uint32_t *numbers(size_t n)
{
	return dh_zalloc(n * sizeof(uint32_t));
}

void dh_scan_summary_write(struct dh_scan_program *p, const uint32_t *functions, size_t n, bool all,
	struct dh_buf *out)
{
	struct writer w = {
		.p = p,
		.strings.number = numbers(p->strings.n),
		.types.number = numbers(p->n_types),
		.fields.number = numbers(p->n_fields),
		.symbols.number = numbers(p->n_symbols),
		.nodes.number = numbers(p->n_nodes),
	};

	put(&w.functions, n);
	for (size_t i = 0; i < n; i++)
		write_function(&w, p->functions[functions[i]]);
	write_rest(&w, all);
	emit(&w.strings, out);
	emit(&w.types, out);
	emit(&w.fields, out);
	emit(&w.symbols, out);
	emit(&w.nodes, out);
	dh_buf_add(out, dh_buf_str(&w.functions), w.functions.len);
	dh_buf_add(out, dh_buf_str(&w.rest), w.rest.len);
	dh_buf_release(&w.functions);
	dh_buf_release(&w.rest);
}
