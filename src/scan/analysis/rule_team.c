/* Teams: one function that several threads execute at once, while whoever started them waits.  That
 * is how clang writes the parallel regions of OpenMP down. */
#include "scan/analysis/call.h"
#include "scan/analysis/reach.h"
#include "scan/analysis/rule.h"
#include "scan/analysis/value.h"

/* Arguments of the function that are followed; the first two are numbers of threads. */
#define MAX_ARGS 16
#define NUMBERS  2

static uint32_t region_context(struct dh_rule_call *c, uint32_t thread, uint32_t fn)
{
	struct dh_scan_state e = {
		.joined = c->s->joined, .waited = c->s->waited, .concurrent = true};
	uint32_t args[MAX_ARGS] = {0}, n = NUMBERS;
	uint8_t first = c->rule->n_args > 1 ? c->rule->arg[1] : 0;

	for (uint32_t i = first; first && i <= c->n_args && n < MAX_ARGS; i++)
		args[n++] = c->args[i - 1];
	n = DH_MIN(n, c->run->p->functions[fn]->n_params);
	if (n > NUMBERS)
		dh_scan_pass_cells(c->run, c->s, args + NUMBERS, n - NUMBERS, &e);
	return dh_scan_context_get(c->run, fn, thread, &e, args, n, c->f->context, c->stmt);
}

/* The region is over: what its threads were given may have changed. */
static void leave_region(struct dh_rule_call *c, uint32_t thread)
{
	struct dh_scan_thread *t = &c->run->threads[thread];

	t->created = true;
	t->beside = dh_lockset_union(c->run->sets, t->beside, c->s->live);
	c->s->joined = dh_lockset_add(c->run->sets, c->s->joined, thread);
	c->s->concurrent = true;
	for (uint32_t i = 0; i < c->n_args; i++) {
		dh_scan_publish(c->run, c->s, c->args[i]);
		dh_scan_escape(c->run, c->args[i]);
		if (dh_sym_is_placed(&c->run->syms, c->args[i]))
			dh_scan_store_value(c->run, c->s, c->args[i], 0);
	}
	dh_rule_forget_shared(c);
}

enum dh_scan_outcome dh_rule_team(struct dh_rule_call *c)
{
	uint32_t fns[4], fn, thread, context;
	uint32_t n =
		dh_scan_functions(c->run, c->f, dh_rule_arg(c, 0), dh_rule_arg_node(c, 0), fns, 4);

	fn = n == 1 ? c->run->p->symbols[fns[0]].function : 0;
	if (!fn)
		return DH_EXEC_NEXT;
	thread = dh_scan_thread_get(c->run, DH_THREAD_NORMAL, fn, c->f->fn, c->stmt, 0, 0);
	c->run->threads[thread].parents =
		dh_lockset_add(c->run->sets, c->run->threads[thread].parents, c->f->thread);
	c->run->threads[thread].many = true;
	context = region_context(c, thread, fn);
	if (context && !c->run->contexts[context].done && !c->run->contexts[context].active) {
		dh_scan_enter(c->run, context);
		return DH_EXEC_WAIT;
	}
	leave_region(c, thread);
	return DH_EXEC_NEXT;
}

/* Numbers that no other thread of the team gets: its own part of a loop, its own number. */
enum dh_scan_outcome dh_rule_own(struct dh_rule_call *c)
{
	uint32_t what = dh_sym_get(&c->run->syms, DH_SYM_RESULT, c->f->fn, c->stmt, 0);
	uint32_t own = dh_sym_get(&c->run->syms, DH_SYM_OWN, 0, c->f->thread, what);

	dh_rule_touch(c);
	for (unsigned i = 0; i < c->rule->n_args; i++)
		if (dh_rule_arg(c, i))
			dh_scan_store_value(c->run, c->s, dh_rule_arg(c, i), own);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, c->rule->n_args ? 0 : own);
	return DH_EXEC_NEXT;
}
