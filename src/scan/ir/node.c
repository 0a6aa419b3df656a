#include "scan/ir/node.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/ir/ir.h"

static uint32_t hash_node(const struct dh_scan_node *n)
{
	uint64_t x = (uint64_t)n->a * 0x9e3779b97f4a7c15u ^ (uint64_t)n->b * 0xd6e8feb86659fd93u ^
		     ((uint64_t)n->op << 8 | n->sub) * 0xa0761d6478bd642fu;

	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	return (uint32_t)(x ^ x >> 32);
}

static void index_node(struct dh_scan_program *p, uint32_t id)
{
	uint32_t mask = p->node_index_cap - 1, i = hash_node(&p->nodes[id]) & mask;

	while (p->node_index[i])
		i = (i + 1) & mask;
	p->node_index[i] = id;
}

static void grow_index(struct dh_scan_program *p)
{
	p->node_index_cap = p->node_index_cap ? p->node_index_cap * 2 : 1024;
	free(p->node_index);
	p->node_index = dh_zalloc((size_t)p->node_index_cap * sizeof(*p->node_index));
	dh_expect_scattered(p->node_index, (size_t)p->node_index_cap * sizeof(*p->node_index));
	for (uint32_t id = 1; id < p->n_nodes; id++)
		index_node(p, id);
}

static void grow_nodes(struct dh_scan_program *p)
{
	uint32_t before = p->cap_nodes;

	DH_GROW(p->nodes, p->n_nodes, p->cap_nodes);
	if (p->cap_nodes != before)
		dh_expect_scattered(p->nodes, (size_t)p->cap_nodes * sizeof(*p->nodes));
}

static bool same(const struct dh_scan_node *x, const struct dh_scan_node *y)
{
	return x->op == y->op && x->sub == y->sub && x->a == y->a && x->b == y->b;
}

/* How many operands of the op are nodes: a, or a and b. */
static unsigned operands(uint8_t op)
{
	switch (op) {
	case DH_SCAN_LOAD:
	case DH_SCAN_FIELD:
		return 1;
	case DH_SCAN_INDEX:
	case DH_SCAN_OFFSET:
	case DH_SCAN_BINARY:
	case DH_SCAN_COMPARE:
		return 2;
	default:
		return 0;
	}
}

uint32_t dh_scan_node_add(struct dh_scan_program *p, struct dh_scan_node n)
{
	unsigned ops = operands(n.op);
	uint32_t mask, i;

	n.size =
		(uint16_t)(1 + (ops ? p->nodes[n.a].size : 0) + (ops > 1 ? p->nodes[n.b].size : 0));
	if (n.op == DH_SCAN_UNKNOWN || n.size > DH_SCAN_MAX_SIZE)
		return 0;
	if ((uint64_t)p->n_nodes * 4 >= (uint64_t)p->node_index_cap * 3)
		grow_index(p);
	mask = p->node_index_cap - 1;
	for (i = hash_node(&n) & mask; p->node_index[i]; i = (i + 1) & mask) {
		if (same(&p->nodes[p->node_index[i]], &n))
			return p->node_index[i];
	}
	grow_nodes(p);
	n.mask = UINT32_C(1) << (p->n_nodes * UINT32_C(2654435761) >> 27);
	n.mask |= (ops ? p->nodes[n.a].mask : 0) | (ops > 1 ? p->nodes[n.b].mask : 0);
	p->nodes[p->n_nodes] = n;
	p->node_index[i] = p->n_nodes;
	return p->n_nodes++;
}

static uint32_t make(struct dh_scan_program *p, uint8_t op, uint8_t sub, uint32_t a, uint32_t b)
{
	return dh_scan_node_add(p, (struct dh_scan_node){.op = op, .sub = sub, .a = a, .b = b});
}

uint32_t dh_scan_const(struct dh_scan_program *p, int64_t value)
{
	uint64_t v = (uint64_t)value;

	return make(p, DH_SCAN_CONST, 0, (uint32_t)v, (uint32_t)(v >> 32));
}

uint32_t dh_scan_string(struct dh_scan_program *p)
{
	return make(p, DH_SCAN_STRING, 0, 0, 0);
}

uint32_t dh_scan_global(struct dh_scan_program *p, uint32_t symbol)
{
	return symbol ? make(p, DH_SCAN_GLOBAL, 0, symbol, 0) : 0;
}

uint32_t dh_scan_param(struct dh_scan_program *p, uint32_t n)
{
	return make(p, DH_SCAN_PARAM, 0, n, 0);
}

uint32_t dh_scan_frame(struct dh_scan_program *p, uint32_t local)
{
	return make(p, DH_SCAN_FRAME, 0, local, 0);
}

uint32_t dh_scan_call(struct dh_scan_program *p, uint32_t stmt)
{
	return make(p, DH_SCAN_CALL, 0, stmt, 0);
}

uint32_t dh_scan_load(struct dh_scan_program *p, uint32_t addr)
{
	return addr ? make(p, DH_SCAN_LOAD, 0, addr, 0) : 0;
}

/* A struct that begins an object is at the object's own address. */
static bool is_beginning(const struct dh_scan_program *p, const struct dh_scan_node *n)
{
	const struct dh_scan_field *f = &p->fields[n->b];

	return n->op == DH_SCAN_FIELD && !f->offset_bits && !f->bitfield &&
	       p->types[f->type].kind == DH_SCAN_TYPE_STRUCT;
}

uint32_t dh_scan_field_of(struct dh_scan_program *p, uint32_t object, uint32_t field)
{
	const struct dh_scan_node *n = &p->nodes[object];

	if (!object || !field)
		return 0;
	for (; p->flat && is_beginning(p, n); n = &p->nodes[object])
		object = n->a;
	/* &container_of(x, T, m)->m is x again. */
	if (n->op == DH_SCAN_OFFSET && !(p->fields[field].offset_bits % 8) &&
		dh_scan_const_value(&p->nodes[n->b]) ==
			-(int64_t)(p->fields[field].offset_bits / 8))
		return n->a;
	return make(p, DH_SCAN_FIELD, 0, object, field);
}

uint32_t dh_scan_index(struct dh_scan_program *p, uint32_t base, uint32_t index)
{
	const struct dh_scan_node n = p->nodes[base]; /* they may move when one is made */
	int64_t first, second;

	if (!base)
		return 0;
	/* Arithmetic on a pointer into an array: the indices add up when they are known. */
	if (n.op == DH_SCAN_INDEX) {
		if (!dh_scan_is_const(p, n.b, &first) || !dh_scan_is_const(p, index, &second) ||
			__builtin_add_overflow(first, second, &first))
			return make(p, DH_SCAN_INDEX, 0, n.a, 0);
		return make(p, DH_SCAN_INDEX, 0, n.a, dh_scan_const(p, first));
	}
	return make(p, DH_SCAN_INDEX, 0, base, index);
}

uint32_t dh_scan_offset(struct dh_scan_program *p, uint32_t base, int64_t bytes)
{
	const struct dh_scan_node *n = &p->nodes[base];
	int64_t before = 0;

	if (!base || !bytes)
		return base;
	if (n->op == DH_SCAN_FIELD && bytes == -(int64_t)(p->fields[n->b].offset_bits / 8))
		return n->a;
	if (n->op == DH_SCAN_OFFSET) {
		before = dh_scan_const_value(&p->nodes[n->b]);
		if (__builtin_add_overflow(before, bytes, &bytes))
			return 0;
		return dh_scan_offset(p, n->a, bytes);
	}
	return make(p, DH_SCAN_OFFSET, 0, base, dh_scan_const(p, bytes));
}

static bool fold(enum dh_scan_binary op, int64_t x, int64_t y, int64_t *ret)
{
	switch (op) {
	case DH_SCAN_ADD:
		return !__builtin_add_overflow(x, y, ret);
	case DH_SCAN_SUB:
		return !__builtin_sub_overflow(x, y, ret);
	case DH_SCAN_MUL:
		return !__builtin_mul_overflow(x, y, ret);
	case DH_SCAN_AND:
		*ret = x & y;
		return true;
	case DH_SCAN_OR:
		*ret = x | y;
		return true;
	case DH_SCAN_XOR:
		*ret = x ^ y;
		return true;
	default:
		return false;
	}
}

uint32_t dh_scan_binary(struct dh_scan_program *p, enum dh_scan_binary op, uint32_t a, uint32_t b)
{
	int64_t x, y, r;

	if (!a || !b)
		return 0;
	if (dh_scan_is_const(p, a, &x) && dh_scan_is_const(p, b, &y) && fold(op, x, y, &r))
		return dh_scan_const(p, r);
	/* !x of a truth value is x ^ 1. */
	if (op == DH_SCAN_XOR && p->nodes[a].op == DH_SCAN_COMPARE && dh_scan_is_const(p, b, &y) &&
		(y == 1 || y == -1))
		return dh_scan_compare(p, DH_SCAN_EQ, a, dh_scan_const(p, 0));
	return make(p, DH_SCAN_BINARY, (uint8_t)op, a, b);
}

static const uint8_t opposite[] = {
	[DH_SCAN_EQ] = DH_SCAN_NE,
	[DH_SCAN_NE] = DH_SCAN_EQ,
	[DH_SCAN_LT] = DH_SCAN_GE,
	[DH_SCAN_GE] = DH_SCAN_LT,
	[DH_SCAN_GT] = DH_SCAN_LE,
	[DH_SCAN_LE] = DH_SCAN_GT,
};

uint8_t dh_scan_opposite(uint8_t comparison)
{
	return opposite[comparison];
}

static const uint8_t mirrored[] = {
	[DH_SCAN_EQ] = DH_SCAN_EQ,
	[DH_SCAN_NE] = DH_SCAN_NE,
	[DH_SCAN_LT] = DH_SCAN_GT,
	[DH_SCAN_GT] = DH_SCAN_LT,
	[DH_SCAN_LE] = DH_SCAN_GE,
	[DH_SCAN_GE] = DH_SCAN_LE,
};

uint32_t dh_scan_compare(struct dh_scan_program *p, enum dh_scan_compare op, uint32_t a, uint32_t b)
{
	const struct dh_scan_node *n;
	int64_t k;

	if (!a || !b)
		return 0;
	if (p->nodes[a].op == DH_SCAN_CONST && p->nodes[b].op != DH_SCAN_CONST)
		return dh_scan_compare(p, (enum dh_scan_compare)mirrored[op], b, a);
	n = &p->nodes[a];
	if (n->op == DH_SCAN_COMPARE && (op == DH_SCAN_EQ || op == DH_SCAN_NE) &&
		dh_scan_is_const(p, b, &k) && (k == 0 || k == 1)) {
		if ((op == DH_SCAN_NE) == (k == 0))
			return a;
		return make(p, DH_SCAN_COMPARE, opposite[n->sub], n->a, n->b);
	}
	return make(p, DH_SCAN_COMPARE, (uint8_t)op, a, b);
}

bool dh_scan_contains(const struct dh_scan_program *p, uint32_t id, uint32_t inner)
{
	const struct dh_scan_node *n = &p->nodes[id];
	unsigned ops = operands(n->op);

	if (id == inner)
		return true;
	if (!dh_scan_may_contain(p, id, inner))
		return false;
	return (ops > 0 && dh_scan_contains(p, n->a, inner)) ||
	       (ops > 1 && dh_scan_contains(p, n->b, inner));
}

static uint32_t rebuild(struct dh_scan_program *p, struct dh_scan_node n, uint32_t a, uint32_t b)
{
	switch (n.op) {
	case DH_SCAN_LOAD:
		return dh_scan_load(p, a);
	case DH_SCAN_FIELD:
		return dh_scan_field_of(p, a, n.b);
	case DH_SCAN_INDEX:
		return dh_scan_index(p, a, b);
	case DH_SCAN_OFFSET:
		return dh_scan_offset(p, a, dh_scan_const_value(&p->nodes[b]));
	case DH_SCAN_BINARY:
		return dh_scan_binary(p, (enum dh_scan_binary)n.sub, a, b);
	default:
		return dh_scan_compare(p, (enum dh_scan_compare)n.sub, a, b);
	}
}

uint32_t dh_scan_node_replace(struct dh_scan_program *p, uint32_t id,
	uint32_t (*map)(void *arg, struct dh_scan_program *p, uint32_t node), void *arg)
{
	struct dh_scan_node n = p->nodes[id];
	unsigned ops = operands(n.op);
	uint32_t a, b = n.b;

	if (n.op == DH_SCAN_PARAM || n.op == DH_SCAN_FRAME || n.op == DH_SCAN_CALL)
		return map(arg, p, id);
	if (!ops)
		return id;
	a = dh_scan_node_replace(p, n.a, map, arg);
	if (ops > 1)
		b = dh_scan_node_replace(p, n.b, map, arg);
	if (a != n.a || b != n.b)
		id = rebuild(p, n, a, b);
	return id && p->nodes[id].op == DH_SCAN_LOAD ? map(arg, p, id) : id;
}
