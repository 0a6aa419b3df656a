/* Virtual calls: the entries of the virtual tables of a class and of all that derive from it.  The
 * tables and the type information that links classes are initialisers like any other; their linker
 * names are _ZTV and _ZTI with the same ending for the same class. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/extract/names.h"
#include "scan/link/internal.h"

struct dh_scan_cxx {
	uint32_t *derived; /* classes */
	uint32_t n_derived, cap_derived;
	uint32_t *slots; /* symbols by position; pairs of position and symbol */
	uint32_t n_slots, cap_slots;
	uint32_t name; /* in names */
};

struct dh_scan_classes {
	struct dh_strset endings; /* of linker names -> number of the class */
	struct dh_strset names;   /* as types have them, without template arguments */
	struct dh_scan_cxx *classes;
	size_t n, cap;
	uint8_t *seen; /* while walking */
};

static uint32_t class_of(
	struct dh_scan_classes *c, const struct dh_scan_program *p, uint32_t symbol)
{
	const char *name = dh_scan_text(p, p->symbols[symbol].name);
	uint32_t id = dh_strset_add(&c->endings, name + 4);

	while (c->n <= id) {
		DH_GROW(c->classes, c->n, c->cap);
		c->classes[c->n++] =
			(struct dh_scan_cxx){.name = dh_strset_add(&c->names,
						     dh_scan_text(p, p->symbols[symbol].pretty))};
	}
	return id;
}

static bool begins(const struct dh_scan_program *p, uint32_t symbol, const char *prefix)
{
	return strncmp(dh_scan_text(p, p->symbols[symbol].name), prefix, 4) == 0;
}

static uint32_t symbol_of(const struct dh_scan_program *p, uint32_t node)
{
	const struct dh_scan_node *n = &p->nodes[dh_scan_object(p, node)];

	return n->op == DH_SCAN_GLOBAL ? n->a : 0;
}

static void add_entry(struct dh_scan_classes *c, const struct dh_scan_program *p,
	const struct dh_scan_init *init, uint32_t table, uint32_t target)
{
	const struct dh_scan_node *n = &p->nodes[init->addr];
	uint32_t id = class_of(c, p, table);
	struct dh_scan_cxx *k = &c->classes[id];
	int64_t position;

	if (n->op != DH_SCAN_INDEX || !dh_scan_is_const(p, n->b, &position) || position < 0 ||
		!(p->symbols[target].flags & DH_SCAN_SYM_FUNCTION))
		return;
	DH_GROW(k->slots, k->n_slots, k->cap_slots);
	k->slots[k->n_slots++] = (uint32_t)position;
	DH_GROW(k->slots, k->n_slots, k->cap_slots);
	k->slots[k->n_slots++] = target;
}

static void add_base(
	struct dh_scan_classes *c, const struct dh_scan_program *p, uint32_t derived, uint32_t base)
{
	uint32_t d = class_of(c, p, derived), b = class_of(c, p, base);
	struct dh_scan_cxx *k = &c->classes[b];

	DH_GROW(k->derived, k->n_derived, k->cap_derived);
	k->derived[k->n_derived++] = d;
}

struct dh_scan_classes *dh_scan_classes_new(const struct dh_scan_program *p)
{
	struct dh_scan_classes *c = dh_new(struct dh_scan_classes);

	dh_strset_init(&c->endings);
	dh_strset_init(&c->names);
	for (uint32_t i = 0; i < p->n_inits; i++) {
		uint32_t at = symbol_of(p, p->inits[i].addr);
		uint32_t what = symbol_of(p, p->inits[i].value);

		if (!at || !what)
			continue;
		if (begins(p, at, "_ZTV"))
			add_entry(c, p, &p->inits[i], at, what);
		else if (begins(p, at, "_ZTI") && begins(p, what, "_ZTI"))
			add_base(c, p, at, what);
	}
	c->seen = dh_zalloc(c->n + 1);
	return c;
}

void dh_scan_classes_free(struct dh_scan_classes *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++) {
		free(c->classes[i].derived);
		free(c->classes[i].slots);
	}
	free(c->classes);
	free(c->seen);
	dh_strset_release(&c->endings);
	dh_strset_release(&c->names);
	free(c);
}

/* The member functions at this position in the class and in all below it.  Bounded: each class is
 * seen once. */
static void walk(struct dh_scan_classes *c, struct dh_scan_links *l, uint32_t id, uint32_t position,
	unsigned depth)
{
	const struct dh_scan_cxx *k = &c->classes[id];

	if (c->seen[id] || depth > 1000)
		return;
	c->seen[id] = 1;
	for (uint32_t i = 0; i < k->n_slots; i += 2) {
		if (k->slots[i] == position)
			dh_scan_pool_add(l, k->slots[i + 1]);
	}
	for (uint32_t i = 0; i < k->n_derived; i++)
		walk(c, l, k->derived[i], position, depth + 1);
}

static void walk_named(
	struct dh_scan_classes *c, struct dh_scan_links *l, const char *name, uint32_t position)
{
	DH_FREE char *plain = dh_scan_short_name(name);
	int64_t id = dh_strset_find(&c->names, plain);

	memset(c->seen, 0, c->n);
	for (size_t i = 0; id >= 0 && i < c->n; i++) {
		if (c->classes[i].name == (uint32_t)id)
			walk(c, l, (uint32_t)i, position, 0);
	}
}

/* The class that the object is declared as, when it is a pointer or an object with a class; else
 * the one that has the pointer to the table. */
static const char *class_name(
	const struct dh_scan_program *p, uint32_t function, const struct dh_scan_node *vptr)
{
	uint32_t type = dh_scan_value_type(p, function, vptr->a);
	const struct dh_scan_type *t = &p->types[type];

	if (t->kind == DH_SCAN_TYPE_POINTER && p->types[t->target].kind == DH_SCAN_TYPE_STRUCT)
		return dh_scan_text(p, p->types[t->target].name);
	return dh_scan_text(p, p->types[p->fields[vptr->b].owner].name);
}

int dh_scan_virtual_targets(struct dh_scan_classes *c, struct dh_scan_links *l, uint32_t function,
	const struct dh_scan_stmt *s)
{
	const struct dh_scan_program *p = l->p;
	const struct dh_scan_node *n = &p->nodes[s->addr], *table;
	uint32_t before = l->n_pool;
	int64_t position = 0;

	if (n->op != DH_SCAN_LOAD)
		return -1;
	table = &p->nodes[n->a];
	if (table->op == DH_SCAN_INDEX) {
		if (!dh_scan_is_const(p, table->b, &position) || position < 0)
			return -1;
		table = &p->nodes[table->a];
	}
	if (table->op != DH_SCAN_LOAD)
		return -1;
	n = &p->nodes[table->a];
	if (n->op != DH_SCAN_FIELD ||
		strncmp(dh_scan_text(p, p->fields[n->b].name), "_vptr", 5) != 0)
		return -1;
	walk_named(c, l, class_name(p, function, n), (uint32_t)position);
	return (int)(l->n_pool - before);
}
