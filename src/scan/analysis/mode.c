/* Variables that say whether threads run: `if (!started) { create; started = 1; }`.  Which threads
 * are alive and what such a variable contains belong together, so callees are told of it.  They are
 * global variables that only get constants and addresses, and that functions ask for which create
 * or join threads, or small ones that lock. */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/run.h"
#include "scan/analysis/turn.h"
#include "scan/analysis/value.h"

/* More than these are the state of the program, not of its threads. */
#define MAX_MODES 12
/* Larger functions ask for much that has nothing to do with threads. */
#define MAX_STMTS 160

/* Kinds of entries in run->modes. */
enum { MODE = 1, ORDER = 2 };

static bool is_about_threads(enum dh_scan_verb v)
{
	return v == DH_SV_CREATE || v == DH_SV_JOIN || v == DH_SV_START;
}

/* Functions of this size that lock only if a variable says so lock for others. */
#define SMALL 12

static bool is_about_locks(struct dh_scan_run *run, uint32_t fn)
{
	return run->p->functions[fn]->n_stmts <= SMALL && dh_scan_prepare(run, fn)->locks_inside;
}

/* Whether the function, or one that it calls, or one that those call, is about threads. */
static bool reaches_threads(struct dh_scan_run *run, uint32_t fn, int depth)
{
	const struct dh_scan_function *f = run->p->functions[fn];

	for (uint32_t i = 0; i < f->n_stmts && i < MAX_STMTS; i++) {
		uint32_t y =
			f->stmts[i].op == DH_SCAN_CALLS ? dh_scan_callee(run->p, &f->stmts[i]) : 0;
		const struct dh_scan_rule *r = y ? dh_scan_rule_of(run, y) : NULL;
		uint32_t to = y && !r ? run->p->symbols[y].function : 0;

		if (r && is_about_threads(r->verb))
			return true;
		if (to && depth > 0 && reaches_threads(run, to, depth - 1))
			return true;
	}
	return false;
}

/* A variable or a member of one, not an element of an array. */
static bool is_plain_global(const struct dh_scan_program *p, uint32_t addr)
{
	struct dh_scan_node n = *dh_scan_node(p, addr);

	while (n.op == DH_SCAN_FIELD)
		n = *dh_scan_node(p, n.a);
	return n.op == DH_SCAN_GLOBAL && !(p->symbols[n.a].flags & DH_SCAN_SYM_FUNCTION);
}

/* The address as states name it: see dh_syms.same. */
static uint32_t named(struct dh_scan_run *run, uint32_t addr)
{
	struct dh_scan_node n = *dh_scan_node(run->p, addr);

	return n.op == DH_SCAN_FIELD
		       ? dh_scan_field_of(run->p, named(run, n.a), run->syms.same[n.b])
		       : addr;
}

/* The variable that the condition compares with a constant, or 0. */
static uint32_t asked(struct dh_scan_run *run, uint32_t condition)
{
	struct dh_scan_node n = *dh_scan_node(run->p, condition);
	int64_t v;

	if (n.op == DH_SCAN_COMPARE && dh_scan_is_const(run->p, n.b, &v))
		n = *dh_scan_node(run->p, n.a);
	return n.op == DH_SCAN_LOAD && is_plain_global(run->p, n.a) ? named(run, n.a) : 0;
}

/* What is counted is no mode. */
static void drop_counters(struct dh_scan_run *run)
{
	for (uint32_t i = 1; i < run->p->n_functions; i++) {
		const struct dh_scan_function *f = run->p->functions[i];

		for (uint32_t j = 0; j < f->n_stmts; j++) {
			const struct dh_scan_stmt *s = &f->stmts[j];
			uint64_t known;

			if ((s->op == DH_SCAN_UPDATE ||
				    (s->op == DH_SCAN_WRITE && dh_scan_node(run->p, s->value)->op ==
								       DH_SCAN_BINARY)) &&
				dh_map_get(&run->modes, named(run, s->addr), &known))
				dh_map_set(&run->modes, named(run, s->addr), 0);
		}
	}
}

static void find_in(struct dh_scan_run *run, uint32_t fn)
{
	const struct dh_scan_function *f = run->p->functions[fn];
	int reaches = -1;

	for (uint32_t j = 0; j < f->n_stmts && run->n_modes < MAX_MODES; j++) {
		uint32_t addr = f->stmts[j].op == DH_SCAN_BRANCH ? asked(run, f->stmts[j].addr) : 0;
		uint64_t known;

		if (!addr || dh_map_get(&run->modes, addr, &known))
			continue;
		if (reaches < 0)
			reaches = is_about_locks(run, fn) || reaches_threads(run, fn, 2);
		if (!reaches)
			return;
		dh_map_set(&run->modes, addr, MODE);
		run->n_modes++;
	}
}

void dh_scan_find_modes(struct dh_scan_run *run)
{
	/* The smaller a function is, the more its questions have to do with its threads. */
	static const uint32_t sizes[] = {0, 40, 80, MAX_STMTS};

	if (run->kernel)
		return;
	for (size_t k = 1; k < DH_ARRAY_SIZE(sizes); k++)
		for (uint32_t i = 1; i < run->p->n_functions; i++) {
			uint32_t n = run->p->functions[i]->n_stmts;

			if (n > sizes[k - 1] && n <= sizes[k])
				find_in(run, i);
		}
	drop_counters(run);
}

/* What a thread asks for in its first function says what it is to do; that stays so while it does
 * it, although others set it. */
void dh_scan_find_orders(struct dh_scan_run *run)
{
	for (uint32_t i = 0; i < run->n_threads; i++) {
		const struct dh_scan_function *f = run->p->functions[run->threads[i].fn];

		if (run->threads[i].kind != DH_THREAD_NORMAL || f->n_stmts > MAX_STMTS)
			continue;
		for (uint32_t j = 0; j < f->n_stmts && run->n_modes < 2 * MAX_MODES; j++) {
			uint32_t addr =
				f->stmts[j].op == DH_SCAN_BRANCH ? asked(run, f->stmts[j].addr) : 0;

			if (!addr || dh_scan_is_mode(run, addr))
				continue;
			dh_map_set(&run->modes, addr, ORDER);
			run->n_modes++;
		}
	}
}

bool dh_scan_is_mode(struct dh_scan_run *run, uint32_t addr)
{
	uint64_t mode = 0;

	return dh_map_get(&run->modes, addr, &mode) && mode;
}

void dh_scan_begin_modes(struct dh_scan_run *run, const struct dh_scan_state *from, uint32_t thread,
	struct dh_scan_state *to)
{
	for (uint32_t i = 0; i < from->n_cells && run->n_modes; i++) {
		const struct dh_scan_cell *c = &from->cells[i];
		int64_t v;

		if (dh_scan_is_mode(run, c->addr) && dh_scan_is_stable(run, c->addr, thread) &&
			(dh_scan_is_const(run->p, c->value, &v) ||
				dh_sym_is_placed(&run->syms, c->value)))
			dh_scan_state_set(to, c->addr, c->value);
	}
}

void dh_scan_pass_modes(struct dh_scan_run *run, const struct dh_scan_state *from, uint32_t thread,
	struct dh_scan_state *to)
{
	dh_scan_begin_modes(run, from, thread, to);
	for (uint32_t i = 0; i < from->n_known && run->n_modes; i++) {
		const struct dh_scan_node *n = dh_scan_node(run->p, from->known[i].node);
		struct dh_scan_range r = from->known[i].range;
		uint64_t kind = 0;

		if (n->op == DH_SCAN_LOAD && r.lo == r.hi && dh_map_get(&run->modes, n->a, &kind) &&
			kind == ORDER)
			dh_scan_state_set(to, n->a, dh_scan_const(run->p, r.lo));
	}
}

/* Memory whose address such a variable has was checked before it got there. */
void dh_scan_trust_modes(struct dh_scan_run *run, struct dh_scan_state *s)
{
	static const struct dh_scan_range not_null = {INT64_MIN, INT64_MAX, true};

	for (uint32_t i = 0; i < s->n_cells && run->n_modes; i++)
		if (dh_sym_kind(&run->syms, s->cells[i].value) == DH_SYM_HEAP &&
			dh_scan_is_mode(run, s->cells[i].addr))
			dh_scan_state_note(s, s->cells[i].value, not_null);
}
