/* A program from its beginning to its end: what initialises variables before main(), main(), and
 * what runs when it is over: handlers that were registered, destructors of static objects.  All of
 * it is the main thread; the threads that are left run beside its end. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/analysis/call.h"
#include "scan/analysis/capability.h"
#include "scan/analysis/rule.h"
#include "scan/analysis/value.h"

static void execute(struct dh_scan_run *run, uint32_t context)
{
	if (!context || run->contexts[context].done)
		return;
	dh_scan_enter(run, context);
	dh_scan_walk(run);
}

/* Threads that initialisers leave running. */
static uint32_t live_behind(struct dh_scan_run *run, uint32_t context, uint32_t live)
{
	for (uint32_t i = 0; context && i < run->contexts[context].n_exits; i++)
		live = dh_lockset_union(
			run->sets, live, run->contexts[context].exits[i].state.live);
	return live;
}

/* What the extraction found in the list of functions that run before main(). */
static uint32_t run_initialisers(struct dh_scan_run *run, uint32_t thread)
{
	uint32_t live = DH_LOCKSET_EMPTY;

	for (uint32_t i = 0; i < run->p->n_facts; i++) {
		const struct dh_scan_fact *fact = &run->p->facts[i];
		uint32_t fn = fact->symbol ? run->p->symbols[fact->symbol].function : 0, context;
		struct dh_scan_state s = {.live = live, .concurrent = live != DH_LOCKSET_EMPTY};

		if (!fn || strcmp(dh_scan_text(run->p, fact->kind), "constructor") != 0)
			continue;
		context = dh_scan_context_get(run, fn, thread, &s, NULL, 0, 0, 0);
		execute(run, context);
		live = live_behind(run, context, live);
	}
	return live;
}

/* One registered function, behind one of the ends of main(). */
static void run_at_exit(struct dh_scan_run *run, uint32_t thread, struct dh_scan_at_exit at,
	const struct dh_scan_state *end)
{
	struct dh_scan_state s = {.live = end->live,
		.joined = end->joined,
		.waited = end->waited,
		.signalled = end->signalled,
		.concurrent = true};
	uint32_t n = run->p->functions[at.fn]->n_params, args[2] = {0, at.arg};

	if (n == 1)
		args[0] = at.arg;
	execute(run, dh_scan_context_get(run, at.fn, thread, &s, args, DH_MIN(n, 2u), 0, 0));
}

static void run_end(struct dh_scan_run *run, uint32_t thread, uint32_t main_context)
{
	/* Handlers may register more; those come by themselves. */
	for (uint32_t i = 0; i < run->n_at_exit; i++) {
		struct dh_scan_state by_exit = {.live = run->threads[thread].end_live};

		for (uint32_t e = 0; e < run->contexts[main_context].n_exits; e++) {
			const struct dh_scan_exit *x = &run->contexts[main_context].exits[e];

			if (x->way == DH_WAY_RETURN)
				run_at_exit(run, thread, run->at_exit[i], &x->state);
		}
		if (by_exit.live != DH_LOCKSET_EMPTY)
			run_at_exit(run, thread, run->at_exit[i], &by_exit);
	}
}

void dh_scan_run_main(struct dh_scan_run *run, uint32_t fn)
{
	uint32_t t = dh_scan_thread_get(run, DH_THREAD_MAIN, fn, 0, 0, 0, 0), context;
	struct dh_scan_state s = {0};

	run->threads[t].created = true;
	s.live = run_initialisers(run, t);
	s.concurrent = s.live != DH_LOCKSET_EMPTY;
	dh_scan_begin_program(run, &s);
	dh_scan_hold_required(run, fn, &s);
	context = dh_scan_context_get(run, fn, t, &s, NULL, 0, 0, 0);
	execute(run, context);
	if (context)
		run_end(run, t, context);
}

enum dh_scan_outcome dh_rule_at_exit(struct dh_rule_call *c)
{
	uint32_t fns[4], arg = dh_rule_arg(c, 1);
	uint32_t n =
		dh_scan_functions(c->run, c->f, dh_rule_arg(c, 0), dh_rule_arg_node(c, 0), fns, 4);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t fn = c->run->p->symbols[fns[i]].function, k = 0;

		while (k < c->run->n_at_exit &&
			(c->run->at_exit[k].fn != fn || c->run->at_exit[k].arg != arg))
			k++;
		if (!fn || k < c->run->n_at_exit)
			continue;
		DH_GROW(c->run->at_exit, c->run->n_at_exit, c->run->cap_at_exit);
		c->run->at_exit[c->run->n_at_exit++] = (struct dh_scan_at_exit){fn, arg};
	}
	dh_scan_publish(c->run, c->s, arg);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}
