#include "sym/var.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "sym/die.h"
#include "sym/session.h"

#define MAX_VARIABLES (16u << 20)
#define MAX_DIES      (256u << 20) /* per module: larger ones exist, but nobody waits for them */
#define MAX_MEMBERS   65536
#define MAX_DIMENSION 8

struct variable {
	uint64_t start, size; /* link-time */
	Dwarf_Die die;
	Dwarf_Die function;
	bool has_function;
};

struct dh_sym_var_index {
	struct variable *all; /* by start */
	size_t n, cap;
	size_t walked;
	uint64_t bias;
};

void dh_sym_var_index_free(struct dh_sym_var_index *v)
{
	if (v)
		free(v->all);
	free(v);
}

/* Its address when that is fixed and simple. */
static bool fixed_location(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute attr, operand;
	Dwarf_Op *ops;
	Dwarf_Addr addr;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &n) != 0 ||
		n != 1)
		return false;
	if (ops[0].atom == DW_OP_addr) {
		*ret = ops[0].number;
		return true;
	}
	if (ops[0].atom != DW_OP_addrx || dwarf_getlocation_attr(&attr, ops, &operand) != 0 ||
		dwarf_formaddr(&operand, &addr) != 0)
		return false;
	*ret = addr;
	return true;
}

static bool size_of(Dwarf_Die *holder, uint64_t *ret)
{
	Dwarf_Die type;
	Dwarf_Word size;

	if (!dh_die_type(holder, true, &type) || dwarf_aggregate_size(&type, &size) != 0)
		return false;
	*ret = size;
	return true;
}

static void add_variable(struct dh_sym_var_index *v, Dwarf_Die *die, Dwarf_Die *function)
{
	struct variable one = {.die = *die, .has_function = function != NULL};

	if (v->n == MAX_VARIABLES || !fixed_location(die, &one.start) || !size_of(die, &one.size) ||
		!one.size)
		return;
	if (function)
		one.function = *function;
	DH_GROW(v->all, v->n, v->cap);
	v->all[v->n++] = one;
}

static void walk(struct dh_sym_var_index *v, Dwarf_Die *parent, Dwarf_Die *function, int depth)
{
	Dwarf_Die die;

	if (depth > DH_DIE_MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
			add_variable(v, &die, function);
			break;
		case DW_TAG_subprogram:
			walk(v, &die, &die, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_lexical_block:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
			walk(v, &die, function, depth + 1);
			break;
		default:
			break;
		}
	} while (++v->walked < MAX_DIES && dh_die_next(&die));
}

static int by_start(const void *a, const void *b)
{
	const struct variable *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static struct dh_sym_var_index *index_variables(struct dh_sym_entry *e)
{
	struct dh_sym_var_index *v = dh_new(struct dh_sym_var_index);
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;

	while ((unit = dwfl_module_nextcu(e->dwfl, unit, &bias))) {
		v->bias = bias;
		walk(v, unit, NULL, 0);
	}
	if (v->n)
		qsort(v->all, v->n, sizeof(*v->all), by_start);
	return v;
}

static struct variable *find(struct dh_sym_var_index *v, uint64_t addr)
{
	size_t low = 0, high = v->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (addr >= v->all[mid].start)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr - v->all[low - 1].start < v->all[low - 1].size ? &v->all[low - 1] : NULL;
}

/* The way from a variable to the part at an offset. */
struct path {
	struct dh_buf name;
	Dwarf_Die holder; /* whose DW_AT_type is the type of the part */
	uint64_t offset;  /* that is left */
	uint64_t size;
};

static bool member_place(Dwarf_Die *member, uint64_t *ret_start, uint64_t *ret_size)
{
	Dwarf_Word start = 0;

	if (dwarf_tag(member) != DW_TAG_member && dwarf_tag(member) != DW_TAG_inheritance)
		return false;
	if (dh_die_number(member, DW_AT_data_bit_offset, &start))
		start /= 8;
	else
		dh_die_number(member, DW_AT_data_member_location, &start);
	*ret_start = start;
	return size_of(member, ret_size);
}

static bool enter_member(struct path *p, Dwarf_Die *type)
{
	Dwarf_Die member;
	uint64_t start, size;
	int n = 0;

	if (dwarf_child(type, &member) != 0)
		return false;
	do {
		const char *name = dwarf_diename(&member);

		if (!member_place(&member, &start, &size) || p->offset - start >= size)
			continue;
		if (name && dwarf_tag(&member) == DW_TAG_member)
			dh_buf_addf(&p->name, ".%s", name);
		p->holder = member;
		p->offset -= start;
		p->size = size;
		return true;
	} while (++n < MAX_MEMBERS && dh_die_next(&member));
	return false;
}

/* How many elements each dimension has; the first one may be open. */
static int dimensions(Dwarf_Die *array, uint64_t count[MAX_DIMENSION])
{
	Dwarf_Die child;
	int n = 0;

	if (dwarf_child(array, &child) != 0)
		return 0;
	do {
		Dwarf_Word value;

		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		if (dh_die_number(&child, DW_AT_count, &value))
			count[n++] = value;
		else if (dh_die_number(&child, DW_AT_upper_bound, &value))
			count[n++] = value + 1;
		else
			count[n++] = 0;
	} while (n < MAX_DIMENSION && dh_die_next(&child));
	return n;
}

static bool enter_element(struct path *p, Dwarf_Die *array)
{
	uint64_t count[MAX_DIMENSION], index[MAX_DIMENSION], size, number;
	int n = dimensions(array, count);

	if (!n || !size_of(array, &size) || !size)
		return false;
	number = p->offset / size;
	for (int i = n - 1; i > 0; i--) {
		if (!count[i])
			return false;
		index[i] = number % count[i];
		number /= count[i];
	}
	index[0] = number;
	for (int i = 0; i < n; i++)
		dh_buf_addf(&p->name, "[%llu]", (unsigned long long)index[i]);
	p->holder = *array;
	p->offset %= size;
	p->size = size;
	return true;
}

static void follow(struct path *p)
{
	for (int depth = 0; depth < DH_DIE_MAX_DEPTH; depth++) {
		Dwarf_Die type;
		bool deeper = false;

		if (!dh_die_type(&p->holder, true, &type))
			return;
		switch (dwarf_tag(&type)) {
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			deeper = enter_member(p, &type);
			break;
		case DW_TAG_array_type:
			deeper = enter_element(p, &type);
			break;
		default:
			break;
		}
		if (!deeper)
			return;
	}
}

static void describe(struct dh_sym *s, struct dh_sym_entry *e, struct variable *v, uint64_t addr,
	struct dh_sym_variable *ret)
{
	uint64_t start = v->start + e->vars->bias;
	struct path p = {.holder = v->die, .offset = addr - start, .size = v->size};
	const char *name = dh_die_name(s, &v->die);
	Dwarf_Word line;

	name = name ? name : "(unnamed)";
	dh_buf_adds(&p.name, name);
	follow(&p);
	*ret = (struct dh_sym_variable){.object = name,
		.object_start = start,
		.object_size = v->size,
		.start = addr - p.offset,
		.size = p.size,
		.module = e->shown.path,
		.file = dh_sym_text(s, dh_die_file(&v->die, DW_AT_decl_file)),
		.type = dh_die_type_name(s, &p.holder)};
	if (p.offset)
		dh_buf_addf(&p.name, "+0x%llx", (unsigned long long)p.offset);
	ret->name = dh_sym_text(s, dh_buf_str(&p.name));
	if (dh_die_number(&v->die, DW_AT_decl_line, &line) && line <= UINT32_MAX)
		ret->line = (uint32_t)line;
	if (v->has_function)
		ret->function = dh_die_name(s, &v->function);
	dh_buf_release(&p.name);
}

/* By the symbol table alone. */
static int by_symbol(
	struct dh_sym *s, struct dh_sym_entry *e, uint64_t addr, struct dh_sym_variable *ret)
{
	uint64_t start, size;
	const char *symbol = dh_sym_symbol_at(e, addr, false, &start, &size);
	DH_FREE char *name = NULL;

	if (!symbol || !size)
		return -ENOENT;
	symbol = dh_sym_text(s, symbol);
	name = dh_asprintf("%s+0x%llx", symbol, (unsigned long long)(addr - start));
	*ret = (struct dh_sym_variable){.object = symbol,
		.object_start = start,
		.object_size = size,
		.start = start,
		.size = size,
		.module = e->shown.path,
		.name = addr == start ? symbol : dh_sym_text(s, name)};
	return 0;
}

int dh_sym_variable(struct dh_sym *s, uint64_t addr, struct dh_sym_variable *ret)
{
	struct dh_sym_entry *e = dh_sym_entry_at(s, addr);
	struct variable *v;

	if (!e || !e->dwfl)
		return -ENOENT;
	if (!e->vars)
		e->vars = index_variables(e);
	v = find(e->vars, addr - e->vars->bias);
	if (!v)
		return by_symbol(s, e, addr, ret);
	describe(s, e, v, addr, ret);
	return 0;
}
