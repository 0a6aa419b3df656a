/* What single statements do to a state. */
#include <stdlib.h>

#include "scan/analysis/call.h"
#include "scan/analysis/run.h"
#include "scan/analysis/turn.h"
#include "scan/analysis/value.h"

struct stale {
	struct dh_scan_run *run;
	uint32_t addr, load, field;
	bool certain;
};

/* Whether a cell, or what is known of a value, may have been changed by a store to the address. */
static bool is_stale(void *arg, uint32_t node)
{
	const struct stale *st = arg;
	struct dh_scan_run *run = st->run;

	if (node == st->addr)
		return false;
	if (st->load && dh_scan_contains(run->p, node, st->load))
		return true;
	if (dh_scan_node(run->p, node)->op == DH_SCAN_LOAD || !st->field ||
		dh_sym_last_field(run->p, node) != st->field)
		return false;
	/* The same member of what may be the same object. */
	return !st->certain || !dh_sym_is_concrete(&run->syms, node);
}

void dh_scan_store_value(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t addr, uint32_t value)
{
	struct stale st = {run, addr, dh_scan_load(run->p, addr), dh_sym_last_field(run->p, addr),
		dh_sym_is_concrete(&run->syms, addr)};

	if (!addr)
		return;
	dh_scan_state_filter(s, is_stale, &st);
	if (dh_sym_kind(&run->syms, addr) == DH_SYM_SET)
		return;
	dh_scan_state_set(s, addr, value);
}

void dh_scan_publish(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t value)
{
	uint32_t todo[32], n = 0;

	todo[n++] = value;
	while (n) {
		/* What stands in an object is not the object. */
		uint32_t v = todo[--n], base = v ? dh_scan_object(run->p, v) : 0;
		const struct dh_sym *y = base ? dh_sym_of(&run->syms, base) : NULL;

		if (!y)
			continue;
		if (y->kind == DH_SYM_SET) {
			for (uint32_t i = 0; i < y->n_values && n < DH_ARRAY_SIZE(todo); i++)
				todo[n++] = y->values[i];
			continue;
		}
		if (!dh_lockset_contains(run->sets, s->fresh, base))
			continue;
		s->fresh = dh_lockset_remove(run->sets, s->fresh, base);
		for (uint32_t i = 0; i < s->n_cells && n < DH_ARRAY_SIZE(todo); i++)
			if (dh_scan_base(run->p, s->cells[i].addr) == base)
				todo[n++] = s->cells[i].value;
	}
}

static uint16_t flags_of(struct dh_scan_run *run, const struct dh_scan_stmt *st)
{
	uint16_t flags = 0;
	int64_t v;

	if (st->op != DH_SCAN_READ)
		flags |= DH_SA_WRITE;
	if (st->op == DH_SCAN_UPDATE)
		flags |= DH_SA_UPDATE;
	if (st->flags & DH_SCAN_ATOMIC)
		flags |= DH_SA_ATOMIC | (st->order == DH_SCAN_RELAXED ? DH_SA_RELAXED : 0);
	if (st->flags & DH_SCAN_VOLATILE)
		flags |= DH_SA_VOLATILE;
	if (st->flags & DH_SCAN_BITS)
		flags |= DH_SA_BITS;
	if (st->flags & DH_SCAN_WHOLE)
		flags |= DH_SA_WHOLE;
	if (st->op == DH_SCAN_WRITE && st->value &&
		dh_scan_contains(run->p, st->value, dh_scan_load(run->p, st->addr)))
		flags |= DH_SA_UPDATE;
	if (st->op == DH_SCAN_WRITE && dh_scan_is_const(run->p, st->value, &v) &&
		(v == 0 || v == 1))
		flags |= DH_SA_CONST;
	return flags;
}

/* What a constant has, from the start of the program on. */
static void copy_inits(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t to, uint32_t from)
{
	uint32_t symbol = dh_scan_node(run->p, from)->a;

	for (uint32_t i = 0;
		run->p->symbols[symbol].flags & DH_SCAN_SYM_CONST && i < run->p->n_inits; i++) {
		const struct dh_scan_init *init = &run->p->inits[i];
		uint32_t at;

		if (dh_scan_base(run->p, init->addr) != from)
			continue;
		at = dh_sym_subst(&run->syms, init->addr, from, to);
		dh_scan_state_set(s, at, init->value);
		dh_scan_memory_add(run, at, init->value);
	}
}

void dh_scan_copy_cells(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t to, uint32_t from)
{
	struct dh_scan_cell list[64];
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n_cells && n < DH_ARRAY_SIZE(list); i++)
		if (dh_scan_contains(run->p, s->cells[i].addr, from))
			list[n++] = s->cells[i];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = dh_sym_subst(&run->syms, list[i].addr, from, to);

		dh_scan_state_set(s, at, list[i].value);
		dh_scan_memory_add(run, at, list[i].value);
	}
	if (dh_scan_node(run->p, from)->op == DH_SCAN_GLOBAL)
		copy_inits(run, s, to, from);
}

static void copy_whole(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	const struct dh_scan_stmt *st, uint32_t addr)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, st->value);
	uint32_t from = 0;

	if (!(st->flags & DH_SCAN_WHOLE))
		return;
	if (n->op == DH_SCAN_LOAD)
		from = dh_scan_eval(run, f, s, n->a);
	else if (n->op == DH_SCAN_CALL)
		from = dh_sym_get(&run->syms, DH_SYM_RESULT, f->fn, n->a, 0);
	if (from)
		dh_scan_copy_cells(run, s, addr, from);
}

/* A struct that is returned: its members go with it. */
static void return_members(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t value)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, value);
	uint32_t from = n->op == DH_SCAN_LOAD ? n->a : 0;

	/* Whatever makes nodes may move them all. */
	if (from && dh_scan_node(run->p, from)->op == DH_SCAN_FRAME)
		dh_scan_copy_cells(
			run, s, dh_scan_return_cell(run, f->fn), dh_scan_eval(run, f, s, from));
}

/* Whether the place is a variable that all threads have in common. */
static bool is_common(const struct dh_scan_run *run, uint32_t addr)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, dh_scan_object(run->p, addr));

	return n->op == DH_SCAN_GLOBAL && !(run->p->symbols[n->a].flags & DH_SCAN_SYM_THREAD);
}

static void write_to(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t no, const struct dh_scan_stmt *st)
{
	uint32_t addr = dh_scan_eval(run, f, s, st->addr);
	uint32_t value = st->value ? dh_scan_eval(run, f, s, st->value) : 0;

	dh_scan_touch(run, f, s, no, addr, st->size, flags_of(run, st));
	if (!addr)
		return;
	if (st->flags & DH_SCAN_ATOMIC)
		dh_scan_atomic_write(run, f, s, no, addr, value);
	dh_scan_pass_turn(run, f, s, addr, value);
	dh_scan_take_out(run, f, s, no, addr, &value);
	if (value && !dh_scan_is_fresh(run, s, addr))
		dh_scan_publish(run, s, value);
	if (value && is_common(run, addr))
		dh_scan_lend(run, value, f->thread);
	dh_scan_memory_add(run, addr, value);
	dh_scan_store_value(run, s, addr, st->op == DH_SCAN_WRITE ? value : 0);
	copy_whole(run, f, s, st, addr);
	dh_scan_claim(run, f, s, no, dh_scan_load(run->p, addr));
	if (dh_scan_is_mode(run, addr))
		dh_scan_trust_modes(run, s);
}

static void assign(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t no, const struct dh_scan_stmt *st)
{
	uint32_t addr = dh_scan_eval(run, f, s, st->addr);
	uint32_t value = st->value ? dh_scan_eval(run, f, s, st->value) : 0;

	dh_scan_store_value(run, s, addr, dh_scan_fold(run, s, value));
	copy_whole(run, f, s, st, addr);
	dh_scan_claim(run, f, s, no, value);
}

/* Others may have written it since it was last looked at. */
static void read_from(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t no, const struct dh_scan_stmt *st)
{
	uint32_t addr = dh_scan_eval(run, f, s, st->addr);

	dh_scan_touch(run, f, s, no, addr, st->size, flags_of(run, st));
	if (addr && st->flags & (DH_SCAN_ATOMIC | DH_SCAN_VOLATILE) &&
		!dh_scan_is_fresh(run, s, addr)) {
		dh_scan_store_value(run, s, addr, 0);
		if (st->flags & DH_SCAN_ATOMIC)
			dh_scan_atomic_read(run, addr, st->order);
	}
}

enum dh_scan_outcome dh_scan_exec(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it, uint32_t no)
{
	const struct dh_scan_stmt *st = &f->body->stmts[no];
	struct dh_scan_state *s = &it->state;

	switch (st->op) {
	case DH_SCAN_READ:
		read_from(run, f, s, no, st);
		return DH_EXEC_NEXT;
	case DH_SCAN_WRITE:
		write_to(run, f, s, no, st);
		return DH_EXEC_NEXT;
	case DH_SCAN_UPDATE:
		write_to(run, f, s, no, st);
		dh_scan_atomic_update(run, f, it, no);
		return DH_EXEC_NEXT;
	case DH_SCAN_ASSIGN:
		assign(run, f, s, no, st);
		return DH_EXEC_NEXT;
	case DH_SCAN_CALLS:
		return dh_scan_exec_call(run, f, it, no);
	case DH_SCAN_RETURN:
		return_members(run, f, s, st->value);
		dh_scan_add_exit(run, f, s, st->value ? dh_scan_eval(run, f, s, st->value) : 0,
			DH_WAY_RETURN);
		return DH_EXEC_END;
	default:
		return DH_EXEC_NEXT;
	}
}
