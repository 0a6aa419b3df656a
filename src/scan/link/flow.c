/* Functions flow through members, variables, parameters and results until nothing changes: an
 * inclusion-based analysis, insensitive to the order of statements, on functions alone. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/link/internal.h"

/* A pointer that can be more functions than this says nothing. */
#define MAX_FUNCTIONS 1024

enum { SLOT_FIELD = 1, SLOT_SYMBOL, SLOT_PARAM, SLOT_RESULT, SLOT_LOCAL, SLOT_CALL };

static uint64_t key(unsigned kind, uint32_t a, uint32_t b)
{
	return (uint64_t)kind << 60 | (uint64_t)(a & 0x3fffffff) << 30 | (b & 0x3fffffff);
}

static uint32_t slot(struct dh_scan_links *l, unsigned kind, uint32_t a, uint32_t b)
{
	uint64_t k = key(kind, a, b), id;

	if (dh_map_get(&l->slot_of, k, &id))
		return (uint32_t)id;
	DH_GROW(l->slots, l->n_slots, l->cap_slots);
	l->slots[l->n_slots] = (struct dh_scan_slot){0};
	dh_map_set(&l->slot_of, k, l->n_slots);
	return l->n_slots++;
}

/* Whether something of this type may be the address of a function.  What is not known may be. */
static bool may_hold(const struct dh_scan_program *p, uint32_t type)
{
	const struct dh_scan_type *t = &p->types[type];

	while (t->kind == DH_SCAN_TYPE_ARRAY)
		t = &p->types[t->target];
	if (t->kind == DH_SCAN_TYPE_POINTER)
		return p->types[t->target].kind == DH_SCAN_TYPE_FUNCTION || !t->target;
	return t->kind == DH_SCAN_TYPE_UNKNOWN;
}

static uint32_t place_type(const struct dh_scan_program *p, uint32_t function, uint32_t addr)
{
	const struct dh_scan_function *f = p->functions[function];
	const struct dh_scan_node *n = &p->nodes[addr];

	while (n->op == DH_SCAN_INDEX)
		n = &p->nodes[n->a];
	switch (n->op) {
	case DH_SCAN_FIELD:
		return p->fields[n->b].type;
	case DH_SCAN_GLOBAL:
		return p->symbols[n->a].type;
	case DH_SCAN_FRAME:
		return f && n->a < f->n_locals ? f->locals[n->a].type : 0;
	default:
		return 0;
	}
}

uint32_t dh_scan_value_type(const struct dh_scan_program *p, uint32_t function, uint32_t node)
{
	const struct dh_scan_function *f = p->functions[function];
	const struct dh_scan_node *n = &p->nodes[node];

	if (n->op == DH_SCAN_LOAD)
		return place_type(p, function, n->a);
	if (n->op == DH_SCAN_PARAM && f && n->a < f->n_params)
		return f->params[n->a].type;
	return 0;
}

/* Where an address leads to; 0: nowhere that can be told. */
static uint32_t place_slot(struct dh_scan_links *l, uint32_t function, uint32_t addr)
{
	const struct dh_scan_node *n = &l->p->nodes[addr];

	if (!may_hold(l->p, place_type(l->p, function, addr)))
		return 0;
	while (n->op == DH_SCAN_INDEX)
		n = &l->p->nodes[n->a];
	switch (n->op) {
	case DH_SCAN_FIELD:
		return slot(l, SLOT_FIELD, n->b, 0);
	case DH_SCAN_GLOBAL:
		return slot(l, SLOT_SYMBOL, n->a, 0);
	case DH_SCAN_FRAME:
		return slot(l, SLOT_LOCAL, function, n->a);
	default:
		return 0;
	}
}

uint32_t dh_scan_value_slot(
	struct dh_scan_links *l, uint32_t function, uint32_t node, uint32_t *ret_function)
{
	const struct dh_scan_program *p = l->p;
	const struct dh_scan_function *f = p->functions[function];
	struct dh_scan_node n = p->nodes[node];

	*ret_function = 0;
	switch (n.op) {
	case DH_SCAN_GLOBAL:
		if (p->symbols[n.a].flags & DH_SCAN_SYM_FUNCTION)
			*ret_function = n.a;
		return 0;
	case DH_SCAN_LOAD:
		return place_slot(l, function, n.a);
	case DH_SCAN_PARAM:
		if (!f || n.a >= f->n_params || !may_hold(p, f->params[n.a].type))
			return 0;
		return slot(l, SLOT_PARAM, f->symbol, n.a);
	case DH_SCAN_CALL:
		return slot(l, SLOT_CALL, function, n.a);
	default:
		return 0;
	}
}

static void enqueue(struct dh_scan_links *l, uint32_t s)
{
	if (l->slots[s].queued)
		return;
	l->slots[s].queued = true;
	DH_GROW(l->queue, l->n_queue, l->cap_queue);
	l->queue[l->n_queue++] = s;
}

static void put(struct dh_scan_links *l, uint32_t s, uint32_t function)
{
	struct dh_scan_slot *t = &l->slots[s];
	uint64_t pair = (uint64_t)s << 32 | function;

	if (t->n >= MAX_FUNCTIONS || dh_map_get(&l->members, pair, NULL))
		return;
	dh_map_set(&l->members, pair, 1);
	DH_GROW(t->functions, t->n, t->cap);
	t->functions[t->n++] = function;
	enqueue(l, s);
}

/* Whatever from holds, to may hold. */
static void copy(struct dh_scan_links *l, uint32_t from, uint32_t to)
{
	uint64_t pair = (uint64_t)from << 32 | to;

	if (!from || !to || from == to || dh_map_get(&l->copies, pair, NULL))
		return;
	dh_map_set(&l->copies, pair, 1);
	DH_GROW(l->edges, l->n_edges, l->cap_edges);
	l->edges[l->n_edges] = (struct dh_scan_flow_edge){to, l->slots[from].edges};
	l->slots[from].edges = l->n_edges++;
	for (uint32_t i = 0; i < l->slots[from].n; i++)
		put(l, to, l->slots[from].functions[i]);
}

static void assign(struct dh_scan_links *l, uint32_t function, uint32_t to, uint32_t value)
{
	uint32_t known, from = dh_scan_value_slot(l, function, value, &known);

	if (!to)
		return;
	if (known)
		put(l, to, known);
	else
		copy(l, from, to);
}

/* Arguments go to the parameters of the callee, its result to the call. */
static void pass(struct dh_scan_links *l, uint32_t function, uint32_t stmt, uint32_t callee)
{
	const struct dh_scan_function *f = l->p->functions[function],
				      *g = dh_scan_body(l->p, callee);
	const struct dh_scan_stmt *s = &f->stmts[stmt];

	if (!g)
		return;
	for (uint32_t i = 0; i < s->n_args && i < g->n_params; i++) {
		if (may_hold(l->p, g->params[i].type))
			assign(l, function, slot(l, SLOT_PARAM, g->symbol, i),
				dh_scan_args(f, s)[i]);
	}
	if (may_hold(l->p, g->result))
		copy(l, slot(l, SLOT_RESULT, g->symbol, 0), slot(l, SLOT_CALL, function, stmt));
}

static void call(struct dh_scan_links *l, uint32_t function, uint32_t stmt)
{
	const struct dh_scan_stmt *s = &l->p->functions[function]->stmts[stmt];
	uint32_t known, from = dh_scan_value_slot(l, function, s->addr, &known);

	if (known) {
		pass(l, function, stmt, known);
		return;
	}
	if (!from)
		return;
	DH_GROW(l->calls, l->n_calls, l->cap_calls);
	l->calls[l->n_calls] = (struct dh_scan_flow_call){function, stmt, l->slots[from].calls};
	l->slots[from].calls = l->n_calls++;
	enqueue(l, from);
}

static void mark_address(struct dh_scan_program *p, uint32_t node)
{
	const struct dh_scan_node *n = &p->nodes[node];

	if (n->op == DH_SCAN_GLOBAL && p->symbols[n->a].flags & DH_SCAN_SYM_FUNCTION)
		p->symbols[n->a].flags |= DH_SCAN_SYM_ADDRESS;
}

static void add_statement(struct dh_scan_links *l, uint32_t function, uint32_t stmt)
{
	const struct dh_scan_function *f = l->p->functions[function];
	const struct dh_scan_stmt *s = &f->stmts[stmt];

	switch (s->op) {
	case DH_SCAN_WRITE:
	case DH_SCAN_ASSIGN:
	case DH_SCAN_UPDATE:
		mark_address(l->p, s->value);
		assign(l, function, place_slot(l, function, s->addr), s->value);
		break;
	case DH_SCAN_RETURN:
		mark_address(l->p, s->value);
		if (may_hold(l->p, f->result))
			assign(l, function, slot(l, SLOT_RESULT, f->symbol, 0), s->value);
		break;
	case DH_SCAN_CALLS:
		for (uint32_t i = 0; i < s->n_args; i++)
			mark_address(l->p, dh_scan_args(f, s)[i]);
		call(l, function, stmt);
		break;
	default:
		break;
	}
}

/* A slot has gained functions: they go on to where it is copied, and get the arguments of its
 * calls.  Each does so once, so that the whole costs as much as there is to tell. */
static void spread(struct dh_scan_links *l, uint32_t s)
{
	uint32_t first = l->slots[s].spread, n = l->slots[s].n;

	l->slots[s].queued = false;
	l->slots[s].spread = n;
	for (uint32_t e = l->slots[s].edges; e; e = l->edges[e].next) {
		for (uint32_t i = first; i < n; i++)
			put(l, l->edges[e].to, l->slots[s].functions[i]);
	}
	for (uint32_t c = l->slots[s].calls; c; c = l->calls[c].next) {
		for (uint32_t i = first; i < n; i++)
			pass(l, l->calls[c].function, l->calls[c].stmt, l->slots[s].functions[i]);
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Number 0 is "none" in all lists. */
static void reserve_first(struct dh_scan_links *l)
{
	DH_GROW(l->slots, l->n_slots, l->cap_slots);
	DH_GROW(l->edges, l->n_edges, l->cap_edges);
	DH_GROW(l->calls, l->n_calls, l->cap_calls);
	l->slots[0] = (struct dh_scan_slot){0};
	l->n_slots = l->n_edges = l->n_calls = 1;
}

void dh_scan_flow(struct dh_scan_links *l)
{
	struct dh_scan_program *p = l->p;

	reserve_first(l);
	for (uint32_t i = 0; i < p->n_inits; i++) {
		mark_address(p, p->inits[i].value);
		assign(l, 0, place_slot(l, 0, p->inits[i].addr), p->inits[i].value);
	}
	for (uint32_t f = 1; f < p->n_functions; f++) {
		for (uint32_t s = 0; s < p->functions[f]->n_stmts; s++)
			add_statement(l, f, s);
	}
	while (l->n_queue)
		spread(l, l->queue[--l->n_queue]);
	for (uint32_t i = 1; i < l->n_slots; i++) {
		if (l->slots[i].n > 1)
			qsort(l->slots[i].functions, l->slots[i].n, sizeof(uint32_t), by_number);
	}
	dh_map_release(&l->members);
	dh_map_release(&l->copies);
}
