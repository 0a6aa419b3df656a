/* Where execution begins: main and what other programs of the build begin with; without main, all
 * that is called from outside.  What is called from outside runs in one abstract thread of many
 * instances, whoever calls: a function is then executed once for each way to enter it, not once for
 * each root that reaches it (RacerX section 3). */
#include <stdlib.h>

#include "base/alloc.h"
#include "scan/analysis/capability.h"
#include "scan/analysis/run.h"
#include "scan/analysis/value.h"

/* What the callers hold that could not be followed. */
static void hold_outer(struct dh_scan_run *run, uint32_t fn, struct dh_scan_state *s)
{
	const struct dh_scan_fn *p = &run->fns[fn];
	size_t n;
	const uint32_t *locks = dh_lockset_locks(run->sets, p->outer, &n);

	for (size_t i = 0; i < n; i++)
		dh_scan_state_hold(s, &(struct dh_scan_held){.lock = locks[i],
					      .fn = p->outer_fn,
					      .stmt = p->outer_stmt,
					      .calls = 1});
	s->locks = p->outer;
}

static void run_root(struct dh_scan_run *run, uint32_t fn, enum dh_scan_thread_kind kind)
{
	struct dh_scan_state s = {0};
	bool outside = kind == DH_THREAD_ROOT || run->kernel;
	uint32_t t = dh_scan_thread_get(run, kind, outside ? 0 : fn, 0, 0, 0, 0), context;

	run->threads[t].created = true;
	run->threads[t].many |= kind == DH_THREAD_ROOT;
	if (outside)
		hold_outer(run, fn, &s);
	else if (kind == DH_THREAD_MAIN)
		dh_scan_begin_program(run, &s);
	dh_scan_hold_required(run, fn, &s);
	context = dh_scan_context_get(run, fn, t, &s, NULL, 0, 0, 0);
	if (!context || run->contexts[context].done)
		return;
	dh_scan_enter(run, context);
	dh_scan_walk(run);
}

/* Whether calls that are followed lead to the function. */
static bool is_called(struct dh_scan_run *run, uint32_t symbol)
{
	uint32_t n;
	const struct dh_scan_caller *c = dh_scan_callers(run->links, symbol, &n);

	for (uint32_t i = 0; i < n; i++)
		if (dh_scan_targets(run->links, c[i].function, c[i].stmt).n <= run->limits.targets)
			return true;
	return false;
}

/* A function of a header, or a file-local one that nobody calls: left over (RacerX, footnote 1). */
static bool is_left_over(const struct dh_scan_run *run, uint32_t fn)
{
	uint32_t flags = run->p->symbols[run->p->functions[fn]->symbol].flags;

	return run->p->functions[fn]->flags & DH_SCAN_FN_SHARED ||
	       (flags & DH_SCAN_SYM_STATIC && !(flags & DH_SCAN_SYM_ADDRESS));
}

static bool is_root(struct dh_scan_run *run, uint32_t fn)
{
	return !is_left_over(run, fn) && !is_called(run, run->p->functions[fn]->symbol);
}

/* Called where too many may be meant: behind the others, when it is known what is held there. */
static bool is_pointed_to(struct dh_scan_run *run, uint32_t fn)
{
	uint32_t n;

	dh_scan_callers(run->links, run->p->functions[fn]->symbol, &n);
	return n && !run->fns[fn].annotation;
}

static enum dh_scan_thread_kind root_kind(const struct dh_scan_run *run, uint32_t fn)
{
	switch (run->fns[fn].annotation) {
	case DH_SV_INTERRUPT:
		return DH_THREAD_SIGNAL;
	case DH_SV_SINGLE:
		return DH_THREAD_MAIN;
	default:
		return DH_THREAD_ROOT;
	}
}

static void progress(
	struct dh_scan_run *run, const struct dh_scan_sink *sink, uint64_t done, uint64_t total)
{
	if (sink->progress && (done % 64 == 0 || done == total))
		sink->progress(
			sink->arg, run->last ? "analysing" : "following pointers", done, total);
}

/* Whether the function, or one that it calls by name, has to do with threads or locks. */
static bool reaches_threads(struct dh_scan_run *run, uint32_t fn)
{
	uint32_t todo[256], n = 0, done = 0;

	todo[n++] = fn;
	while (done < n) {
		const struct dh_scan_function *f = run->p->functions[todo[done++]];

		if (dh_scan_prepare(run, todo[done - 1])->locks_inside)
			return true;
		for (uint32_t i = 0; i < f->n_stmts && n < DH_ARRAY_SIZE(todo); i++) {
			uint32_t y = f->stmts[i].op == DH_SCAN_CALLS
					     ? dh_scan_callee(run->p, &f->stmts[i])
					     : 0;
			uint32_t to = y ? run->p->symbols[y].function : 0;
			bool known = !to;

			for (uint32_t j = 0; j < n && !known; j++)
				known = todo[j] == to;
			if (!known)
				todo[n++] = to;
		}
	}
	return false;
}

/* What main does not reach, but knows threads: another program of the same build. */
static void run_programs(struct dh_scan_run *run, uint32_t main_fn)
{
	dh_scan_run_main(run, main_fn);
	for (uint32_t i = 1; i < run->p->n_functions; i++)
		if (!run->fns[i].n_contexts && is_root(run, i) &&
			run->fns[i].annotation != DH_SV_IGNORE && reaches_threads(run, i))
			run_root(run, i, DH_THREAD_MAIN);
}

/* Code that runs while nothing else does has no races; in a library, it may still misuse locks. */
static bool is_skipped(const struct dh_scan_run *run, uint32_t fn)
{
	enum dh_scan_verb v = run->fns[fn].annotation;

	return v == DH_SV_IGNORE || (run->kernel && v == DH_SV_SINGLE);
}

static void run_library(struct dh_scan_run *run, const struct dh_scan_sink *sink)
{
	uint32_t n = run->p->n_functions;

	for (uint32_t i = 1; i < n; i++) {
		enum dh_scan_verb v = run->fns[i].annotation;

		progress(run, sink, i, n);
		if (!is_skipped(run, i) && !is_pointed_to(run, i) &&
			(is_root(run, i) || v == DH_SV_INTERRUPT || v == DH_SV_MULTI))
			run_root(run, i, root_kind(run, i));
	}
	for (uint32_t i = 1; i < n; i++)
		if (!is_skipped(run, i) && is_pointed_to(run, i) && is_root(run, i))
			run_root(run, i, root_kind(run, i));
	/* Functions that only call each other in a circle. */
	for (uint32_t i = 1; i < n; i++)
		if (!run->fns[i].n_contexts && !is_skipped(run, i) && !is_left_over(run, i))
			run_root(run, i, root_kind(run, i));
}

void dh_scan_run_roots(struct dh_scan_run *run, const struct dh_scan_sink *sink)
{
	uint32_t main = dh_scan_symbol_find(run->p, "main");
	uint32_t main_fn = main && !run->kernel ? run->p->symbols[main].function : 0;

	if (main_fn) {
		run_programs(run, main_fn);
		return;
	}
	run->library = !run->kernel;
	run_library(run, sink);
}

/* What a kernel is told to run some time: interrupts, timers, work, threads. */
static void find_started(struct dh_scan_run *run, uint32_t fn, uint32_t stmt)
{
	const struct dh_scan_function *f = run->p->functions[fn];
	const struct dh_scan_stmt *s = &f->stmts[stmt];
	uint32_t callee = dh_scan_callee(run->p, s);
	const struct dh_scan_rule *r = callee ? dh_scan_rule_of(run, callee) : NULL;
	struct dh_scan_targets t;

	if (!r || (r->verb != DH_SV_ASYNC && r->verb != DH_SV_HANDLER) || r->arg[0] > s->n_args)
		return;
	t = dh_scan_functions_of(run->links, fn, dh_scan_args(f, s)[r->arg[0] - 1]);
	for (uint32_t i = 0; i < t.n && t.n <= run->limits.targets; i++) {
		uint32_t to = run->p->symbols[t.symbols[i]].function;

		if (to && run->fns[to].annotation != DH_SV_IGNORE)
			run->fns[to].annotation =
				r->verb == DH_SV_HANDLER ? DH_SV_INTERRUPT : DH_SV_MULTI;
	}
}

/* Whether all that lead to the function run while nothing else does. */
static bool is_single(struct dh_scan_run *run, uint32_t fn)
{
	uint32_t symbol = run->p->functions[fn]->symbol, n;
	const struct dh_scan_caller *c = dh_scan_callers(run->links, symbol, &n);

	if (!n || run->fns[fn].annotation || run->p->symbols[symbol].flags & DH_SCAN_SYM_ADDRESS)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (c[i].function != fn && run->fns[c[i].function].annotation != DH_SV_SINGLE)
			return false;
	return true;
}

/* Whether only functions that make objects or take them down call it. */
static bool is_for_setup(struct dh_scan_run *run, uint32_t fn)
{
	uint32_t symbol = run->p->functions[fn]->symbol, n;
	const struct dh_scan_caller *c = dh_scan_callers(run->links, symbol, &n);

	if (!n || run->fns[fn].sets_up || run->p->symbols[symbol].flags & DH_SCAN_SYM_ADDRESS)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (c[i].function != fn && !run->fns[c[i].function].sets_up &&
			run->fns[c[i].function].annotation != DH_SV_SINGLE)
			return false;
	return true;
}

/* After what runs while nothing else does. */
static void infer_setup(struct dh_scan_run *run)
{
	bool changed = true;

	for (uint32_t i = 1; i < run->p->n_functions; i++) {
		uint32_t symbol = run->p->functions[i]->symbol;

		run->fns[i].sets_up = dh_scan_table_is_setup(
			run->table, dh_scan_text(run->p, run->p->symbols[symbol].name));
	}
	for (uint32_t round = 0; changed && round < 32; round++) {
		changed = false;
		for (uint32_t i = 1; i < run->p->n_functions; i++)
			if (is_for_setup(run, i))
				changed = run->fns[i].sets_up = true;
	}
}

void dh_scan_infer_roots(struct dh_scan_run *run)
{
	bool changed = true;

	for (uint32_t i = 1; i < run->p->n_functions; i++)
		for (uint32_t j = 0; j < run->p->functions[i]->n_stmts; j++)
			if (run->p->functions[i]->stmts[j].op == DH_SCAN_CALLS)
				find_started(run, i, j);
	for (uint32_t round = 0; changed && round < 32; round++) {
		changed = false;
		for (uint32_t i = 1; i < run->p->n_functions; i++)
			if (is_single(run, i)) {
				run->fns[i].annotation = DH_SV_SINGLE;
				changed = true;
			}
	}
	infer_setup(run);
}
