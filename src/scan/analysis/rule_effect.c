/* What functions of the table do to memory: allocate, free, read and write through pointers. */
#include "scan/analysis/call.h"
#include "scan/analysis/rule.h"
#include "scan/analysis/value.h"

/* In the kernel: the flags of an allocation have __GFP_DIRECT_RECLAIM, so it may wait for memory.
 */
static bool may_wait_for_memory(const struct dh_rule_call *c)
{
	int64_t flags;

	return c->rule->words & DH_SW_MAY_BLOCK && dh_rule_arg(c, 0) &&
	       dh_scan_is_const(c->run->p, dh_rule_arg(c, 0), &flags) && flags & 0x400;
}

static void touch(struct dh_rule_call *c, uint32_t addr, uint16_t flags)
{
	uint8_t op = dh_scan_node(c->run->p, dh_scan_object(c->run->p, addr))->op;

	if (addr && op != DH_SCAN_CONST && op != DH_SCAN_STRING)
		dh_scan_touch(c->run, c->f, c->s, c->stmt, addr, 0, flags);
}

enum dh_scan_outcome dh_rule_alloc(struct dh_rule_call *c)
{
	uint32_t into = c->rule->words & DH_SW_MAY_BLOCK ? 0 : dh_rule_arg(c, 0);
	uint32_t node = dh_scan_make(c->run, c->f, c->s, c->stmt, DH_SYM_HEAP);
	struct dh_sym *y = dh_sym_of(&c->run->syms, node);
	uint32_t block = c->f->prep->original[c->it->node];

	/* realloc(): what was there is given back. */
	for (uint32_t i = 0; i < c->n_args && i < 32; i++)
		if (c->rule->writes >> i & 1)
			touch(c, c->args[i], DH_SA_WRITE | DH_SA_FREE | DH_SA_WHOLE);
	y->many |= c->f->prep->loop[block] || c->run->fns[c->f->fn].repeated ||
		   dh_scan_is_many(c->run, c->f->thread);
	dh_sym_bind(&c->run->syms, node, c->f->thread + 1);
	c->s->fresh = dh_lockset_add(c->run->sets, c->s->fresh, node);
	if (into)
		dh_scan_store_value(c->run, c->s, into, node);
	if (may_wait_for_memory(c))
		dh_scan_may_block(c->run, c->f, c->s, c->stmt, c->rule->name);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, into ? 0 : node);
	return DH_EXEC_NEXT;
}

/* Whether the value may be an element or a member: a name that paths gave it stands for one. */
static bool may_be_part(struct dh_scan_run *run, uint32_t value, int depth)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, value);

	if (dh_scan_is_step(dh_scan_node(run->p, value)->op))
		return true;
	for (uint32_t i = 0; y && y->kind == DH_SYM_PHI && depth < 3 && i < y->n_values; i++)
		if (may_be_part(run, y->values[i], depth + 1))
			return true;
	return false;
}

/* Of what a pointer may be, only what was allocated by itself can be freed: no element, no member.
 * 0: what that is, is not known. */
static uint32_t can_be_freed(struct dh_scan_run *run, uint32_t value)
{
	const struct dh_sym *y = value ? dh_sym_of(&run->syms, value) : NULL;
	const struct dh_scan_node *element = dh_scan_node(run->p, value);
	uint32_t list[8], n = 0;
	int64_t v;

	if (element->op == DH_SCAN_INDEX && !dh_scan_is_const(run->p, element->b, &v))
		return 0;
	if (y && y->kind == DH_SYM_PHI)
		return may_be_part(run, value, 0) ? 0 : value;
	if (!y || y->kind != DH_SYM_SET || y->n_values > DH_ARRAY_SIZE(list))
		return value;
	for (uint32_t i = 0; i < y->n_values; i++)
		if (!may_be_part(run, y->values[i], 0))
			list[n++] = y->values[i];
	return n ? dh_sym_set(&run->syms, list, n, y->other) : 0;
}

enum dh_scan_outcome dh_rule_free(struct dh_rule_call *c)
{
	touch(c, can_be_freed(c->run, dh_rule_arg(c, 0)), DH_SA_WRITE | DH_SA_FREE | DH_SA_WHOLE);
	return DH_EXEC_NEXT;
}

struct under {
	struct dh_scan_run *run;
	uint32_t addr;
};

static bool is_under(void *p, uint32_t node)
{
	const struct under *u = p;

	return node != u->addr ? dh_scan_contains(u->run->p, node, u->addr) : true;
}

void dh_rule_touch(struct dh_rule_call *c)
{
	uint32_t reads = c->rule->reads, writes = c->rule->writes;

	for (uint32_t i = 0; i < c->n_args && i < 32; i++) {
		if (reads >> i & 1)
			touch(c, c->args[i], DH_SA_WHOLE);
		if (!(writes >> i & 1))
			continue;
		struct under u = {c->run, c->args[i]};

		touch(c, c->args[i], DH_SA_WRITE | DH_SA_WHOLE);
		if (c->args[i])
			dh_scan_state_filter(c->s, is_under, &u);
	}
}

/* What a library has once for all who call: a buffer for results, the environment.  What it
 * returns stands there, so that no lock of the library's own would help. */
static void touch_hidden(struct dh_rule_call *c)
{
	uint32_t name = dh_scan_str(c->run->p, c->rule->hidden);

	dh_scan_touch(c->run, c->f, c->s, c->stmt,
		dh_sym_get(&c->run->syms, DH_SYM_NAMED, DH_NAMED_HIDDEN, 0, name), 0,
		c->rule->words & DH_SW_READ ? 0 : DH_SA_WRITE);
}

enum dh_scan_outcome dh_rule_effect(struct dh_rule_call *c)
{
	uint32_t reads = c->rule->reads, writes = c->rule->writes;

	dh_rule_touch(c);
	if (c->rule->hidden)
		touch_hidden(c);
	for (uint32_t i = 0; i < c->n_args && i < 32; i++)
		if (c->rule->publishes >> i & 1) {
			dh_scan_publish(c->run, c->s, c->args[i]);
			dh_scan_escape(c->run, c->args[i]);
		}
	/* memcpy() and its family. */
	if (writes && reads && c->n_args >= 2 && c->args[0] && c->args[1])
		dh_scan_copy_cells(c->run, c->s, c->args[__builtin_ctz(writes) & 1],
			c->args[__builtin_ctz(reads) & 1]);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt,
		c->rule->returns && c->rule->returns <= c->n_args ? c->args[c->rule->returns - 1]
								  : 0);
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_atomic(struct dh_rule_call *c)
{
	c->s->concurrent = true;
	touch(c, dh_rule_arg(c, 0),
		c->rule->words & DH_SW_READ ? DH_SA_ATOMIC
					    : DH_SA_WRITE | DH_SA_ATOMIC | DH_SA_UPDATE);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

/* Whoever wrote the program knows of the races there. */
enum dh_scan_outcome dh_rule_benign(struct dh_rule_call *c)
{
	if (dh_rule_arg(c, 0))
		dh_map_set(&c->run->benign, dh_sym_any_index(&c->run->syms, dh_rule_arg(c, 0)), 1);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}
