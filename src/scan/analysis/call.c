/* Calls: whom they reach, in which context, and what comes back. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/analysis/call.h"
#include "scan/analysis/capability.h"
#include "scan/analysis/reach.h"
#include "scan/analysis/run.h"
#include "scan/analysis/turn.h"
#include "scan/analysis/value.h"

#define MAX_ARGS    32
#define MAX_TARGETS 64
/* Who holds more locks than this came through pointers that do not lead there. */
#define MAX_BELIEVED 10

static bool in_loop(const struct dh_scan_frame *f, uint32_t node)
{
	return f->prep->loop[f->prep->original[node]] != 0;
}

uint32_t dh_scan_make(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, enum dh_sym_kind kind)
{
	uint32_t node = dh_sym_get(&run->syms, kind, f->fn, stmt, 0);
	uint32_t old = dh_sym_get(&run->syms, DH_SYM_OLD, 0, 0, dh_scan_node(run->p, node)->a);

	dh_scan_state_rename(run, s, node, old);
	s->fresh = dh_lockset_remove(run->sets, s->fresh, node);
	return node;
}

void dh_scan_set_result(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t value)
{
	uint32_t cell = dh_scan_make(run, f, s, stmt, DH_SYM_RESULT);

	if (value)
		dh_scan_state_set(s, cell, value);
	else
		dh_scan_state_forget(s, cell);
}

/* The function may run again while what it made before is still there. */
static void note_repeated(
	struct dh_scan_run *run, struct dh_scan_frame *f, uint32_t node, uint32_t fn, uint32_t stmt)
{
	struct dh_scan_fn *p = &run->fns[fn];

	if ((p->by_fn && (p->by_fn != f->fn || p->by_stmt != stmt)) || in_loop(f, node) ||
		run->fns[f->fn].repeated)
		p->repeated = true;
	p->by_fn = f->fn;
	p->by_stmt = stmt;
}

static uint32_t find_context(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_item *it, uint32_t stmt, uint32_t fn, const uint32_t *args,
	uint32_t n_args, const struct dh_scan_reach *r)
{
	const struct dh_scan_state *s = &it->state;
	struct dh_scan_state e = {.locks = s->locks,
		.live = s->live,
		.joined = s->joined,
		.waited = s->waited,
		.signalled = s->signalled,
		.turns = s->turns,
		.concurrent = s->concurrent};

	note_repeated(run, f, it->node, fn, stmt);
	e.fresh = dh_scan_keep_fresh(run, s->fresh, r, true);
	if (dh_scan_is_told_cells(run, fn))
		dh_scan_pass_reached(run, s, r, &e);
	for (uint32_t i = 0; i < s->n_held; i++) {
		struct dh_scan_held h = s->held[i];

		h.calls++;
		dh_scan_state_hold(&e, &h);
	}
	uint32_t told[MAX_ARGS];

	for (uint32_t i = 0; i < n_args; i++)
		told[i] = args[i];
	dh_scan_abstract(run, fn, &e, told, n_args);
	dh_scan_pass_modes(run, s, f->thread, &e);
	return dh_scan_context_get(run, fn, f->thread, &e, told, n_args, f->context, stmt);
}

static void join_held(
	struct dh_scan_run *run, struct dh_scan_state *s, const struct dh_scan_state *e)
{
	for (uint32_t i = s->n_held; i-- > 0;)
		if (!dh_lockset_contains(run->sets, e->locks, s->held[i].lock))
			dh_scan_state_drop(s, s->held[i].lock);
	for (uint32_t i = 0; i < e->n_held; i++) {
		struct dh_scan_held h = e->held[i];

		h.calls++;
		dh_scan_state_hold(s, &h);
	}
}

static bool is_foreign(struct dh_scan_run *run, uint32_t addr)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, dh_scan_base(run->p, addr));

	return !y || y->kind != DH_SYM_FRAME || y->at != UINT32_MAX;
}

/* Members of a struct that the callee returned, as members of the call's result. */
static void take_members(struct dh_scan_run *run, const struct dh_scan_frame *f,
	struct dh_scan_state *s, uint32_t stmt, uint32_t fn, const struct dh_scan_state *e)
{
	uint32_t from = dh_scan_return_cell(run, fn);
	uint32_t to = dh_sym_get(&run->syms, DH_SYM_RESULT, f->fn, stmt, 0);

	for (uint32_t i = 0; i < e->n_cells; i++)
		if (e->cells[i].addr != from && dh_scan_base(run->p, e->cells[i].addr) == from)
			dh_scan_state_set(s, dh_sym_subst(&run->syms, e->cells[i].addr, from, to),
				e->cells[i].value);
}

/* The caller goes on with what one exit of the callee left. */
static void return_to(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t context, uint32_t exit, const struct dh_scan_reach *r,
	const uint32_t *args, uint32_t n_args)
{
	const struct dh_scan_context *c = &run->contexts[context];
	struct dh_scan_state back, *e = &back;
	struct dh_scan_kill k = {run, r, run->writes[c->fn]};
	uint32_t fn = c->fn, value;
	struct dh_scan_range range;

	dh_scan_state_copy(&back, &c->exits[exit].state);
	value = dh_scan_state_get(e, dh_scan_return_cell(run, fn));
	range = dh_scan_state_range(run, e, value);
	dh_scan_concrete(run, context, &back, s, args, n_args);
	value = dh_scan_state_get(e, dh_scan_return_cell(run, fn));

	s->locks = e->locks;
	s->live = e->live;
	s->joined = e->joined;
	s->waited = e->waited;
	s->signalled = e->signalled;
	s->turns = e->turns;
	s->concurrent |= e->concurrent;
	s->fresh =
		dh_lockset_union(run->sets, dh_scan_keep_fresh(run, s->fresh, r, false), e->fresh);
	join_held(run, s, e);
	dh_scan_state_filter(s, dh_scan_is_killed, &k);
	for (uint32_t i = 0; i < e->n_cells; i++)
		if (is_foreign(run, e->cells[i].addr))
			dh_scan_state_set(s, e->cells[i].addr, e->cells[i].value);
	dh_scan_take_result(run, f, s, stmt, fn, value, range);
	take_members(run, f, s, stmt, fn, e);
	dh_scan_trust_modes(run, s);
	dh_scan_state_release(&back);
}

/* Whether exit a with n locks is less to be believed than b with m: the smaller lockset of equals.
 */
static bool is_weaker(const struct dh_scan_run *run, const struct dh_scan_context *c, uint32_t a,
	size_t n, uint32_t b, size_t m)
{
	uint32_t for_a = c->exits[a].edges, for_b = c->exits[b].edges;

	if (run->summaries == DH_SUMMARIES_SMALLEST)
		return m != n ? m < n : b < a;
	return for_a != for_b ? for_b > for_a : m != n ? m < n : b < a;
}

/* Summary selection (RacerX 6.3), of exits that the caller cannot tell apart by the result. */
static bool is_outvoted(struct dh_scan_run *run, const struct dh_scan_context *c, uint32_t exit)
{
	const struct dh_scan_exit *e = &c->exits[exit];
	uint32_t cell = dh_scan_return_cell(run, c->fn);
	struct dh_scan_range r =
		dh_scan_state_range(run, &e->state, dh_scan_state_get(&e->state, cell));
	size_t n, m;

	dh_lockset_locks(run->sets, e->state.locks, &n);
	for (uint32_t i = 0; i < c->n_exits; i++) {
		const struct dh_scan_state *o = &c->exits[i].state;
		struct dh_scan_range q = dh_scan_state_range(run, o, dh_scan_state_get(o, cell));

		if (i == exit || c->exits[i].way != e->way || o->locks == e->state.locks ||
			r.hi < q.lo || q.hi < r.lo || (r.ne && q.lo == 0 && q.hi == 0) ||
			(q.ne && r.lo == 0 && r.hi == 0))
			continue;
		dh_lockset_locks(run->sets, o->locks, &m);
		if (is_weaker(run, c, exit, n, i, m))
			return true;
	}
	return false;
}

/* The call may throw, for all that is known, and then so may the function that has it. */
static void may_throw(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_item *it, uint32_t stmt, const struct dh_scan_state *s)
{
	run->contexts[f->context].may_throw |= !(f->body->stmts[stmt].flags & DH_SCAN_INVOKE);
	dh_scan_suppose_throw(run, f, it, stmt, s);
}

/* The callee did not return. */
static void leave_by(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_item *it, uint32_t stmt, struct dh_scan_state *s, enum dh_scan_way way)
{
	uint32_t result = dh_sym_get(&run->syms, DH_SYM_RESULT, f->fn, stmt, 0);

	if (way == DH_WAY_THROW)
		dh_scan_throw(run, f, it, stmt, s);
	else
		dh_scan_jump(run, f, s, dh_scan_state_get(s, result));
}

static enum dh_scan_outcome apply_exits(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, uint32_t context, const struct dh_scan_reach *r,
	const uint32_t *args, uint32_t n_args)
{
	uint32_t n = run->contexts[context].n_exits;
	bool select = run->summaries != DH_SUMMARIES_ALL, thrown = false;

	for (uint32_t i = 0; i < n; i++) {
		struct dh_scan_state s;

		enum dh_scan_way way = run->contexts[context].exits[i].way;

		if ((way == DH_WAY_THROW && it->shielded) ||
			(select && n > 1 && is_outvoted(run, &run->contexts[context], i)))
			continue;
		dh_scan_state_copy(&s, &it->state);
		return_to(run, f, &s, stmt, context, i, r, args, n_args);
		thrown |= way == DH_WAY_THROW;
		if (way != DH_WAY_RETURN) {
			leave_by(run, f, it, stmt, &s, way);
			continue;
		}
		if (!thrown && i + 1 == n && run->contexts[context].may_throw)
			may_throw(run, f, it, stmt, &s);
		dh_scan_fork(run, f, it, &s);
	}
	return DH_EXEC_END;
}

/* Nothing is known of what is called: what it is given may be seen by others from now on. */
static void call_unknown(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it,
	uint32_t stmt, const uint32_t *args, uint32_t n_args)
{
	struct dh_scan_state *s = &it->state;
	struct dh_scan_reach r;
	struct dh_scan_kill k = {run, &r, 0};

	dh_scan_find_reach(run, s, args, n_args, &r);
	for (uint32_t i = 0; i < n_args; i++) {
		dh_scan_publish(run, s, args[i]);
		dh_scan_escape(run, args[i]);
	}
	dh_scan_state_filter(s, dh_scan_is_killed, &k);
	may_throw(run, f, it, stmt, s);
	dh_scan_set_result(run, f, s, stmt, 0);
}

/* Whether the function's context is executed already; else it is entered. */
static bool is_ready(struct dh_scan_run *run, uint32_t context)
{
	struct dh_scan_context *c = &run->contexts[context];

	if (!context || c->done || c->active)
		return true;
	dh_scan_enter(run, context);
	return false;
}

enum dh_scan_outcome dh_scan_call_function(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, uint32_t symbol, const uint32_t *args,
	uint32_t n_args)
{
	uint32_t fn = run->p->symbols[symbol].function, context;
	struct dh_scan_reach r;

	if (!fn || run->fns[fn].annotation == DH_SV_IGNORE) {
		call_unknown(run, f, it, stmt, args, n_args);
		return DH_EXEC_NEXT;
	}
	n_args = DH_MIN(n_args, run->p->functions[fn]->n_params);
	dh_scan_find_reach(run, &it->state, args, n_args, &r);
	context = find_context(run, f, it, stmt, fn, args, n_args, &r);
	if (!is_ready(run, context))
		return DH_EXEC_WAIT;
	if (!context || run->contexts[context].active) {
		run->counts.recursions += context != 0;
		dh_scan_suppose_throw(run, f, it, stmt, &it->state);
		dh_scan_set_result(run, f, &it->state, stmt, 0);
		return DH_EXEC_NEXT;
	}
	return apply_exits(run, f, it, stmt, context, &r, args, n_args);
}

/* A lock function that throws has not taken the lock; others have done what they do. */
static enum dh_scan_outcome apply_rule(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, const struct dh_scan_rule *rule,
	const uint32_t *args, uint32_t n_args)
{
	bool locks = rule->verb == DH_SV_ACQUIRE || rule->verb == DH_SV_GUARD ||
		     rule->verb == DH_SV_RELOCK || rule->verb == DH_SV_ALL;
	enum dh_scan_outcome o;

	if (locks)
		dh_scan_suppose_throw(run, f, it, stmt, &it->state);
	o = dh_scan_apply(run, f, it, stmt, rule, args, n_args);
	if (!locks && o == DH_EXEC_NEXT)
		dh_scan_suppose_throw(run, f, it, stmt, &it->state);
	return o;
}

static enum dh_scan_outcome call_one(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, uint32_t symbol, const uint32_t *args,
	uint32_t n_args)
{
	const struct dh_scan_rule *rule = dh_scan_rule_of(run, symbol);

	dh_scan_check_required(run, f, &it->state, stmt, symbol, args, n_args);
	if (rule)
		return apply_rule(run, f, it, stmt, rule, args, n_args);
	if (run->p->symbols[symbol].flags & DH_SCAN_SYM_NORETURN &&
		!run->p->symbols[symbol].function)
		return DH_EXEC_END;
	return dh_scan_call_function(run, f, it, stmt, symbol, args, n_args);
}

/* All targets must be ready before the first one forks the path. */
static enum dh_scan_outcome call_each(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, const uint32_t *targets, uint32_t n,
	const uint32_t *args, uint32_t n_args)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t fn = run->p->symbols[targets[i]].function;
		struct dh_scan_reach r;

		if (!fn || dh_scan_rule_of(run, targets[i]))
			continue;
		uint32_t k = DH_MIN(n_args, run->p->functions[fn]->n_params);

		dh_scan_find_reach(run, &it->state, args, k, &r);
		if (!is_ready(run, find_context(run, f, it, stmt, fn, args, k, &r)))
			return DH_EXEC_WAIT;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct dh_scan_item copy = *it;

		if (dh_scan_rule_of(run, targets[i]) && i + 1 < n)
			continue; /* a library function among others: nothing to learn from it */
		dh_scan_state_copy(&copy.state, &it->state);
		if (call_one(run, f, &copy, stmt, targets[i], args, n_args) == DH_EXEC_NEXT)
			dh_scan_fork(run, f, it, &copy.state);
		dh_scan_state_release(&copy.state);
	}
	return DH_EXEC_END;
}

uint32_t dh_scan_functions(struct dh_scan_run *run, struct dh_scan_frame *f, uint32_t value,
	uint32_t node, uint32_t *ret, uint32_t max)
{
	uint32_t places[16], n = 0, m = value ? dh_scan_resolve(run, value, places, 16) : 0;
	struct dh_scan_targets t;

	for (uint32_t i = 0; i < m && n < max; i++) {
		const struct dh_scan_node *g = dh_scan_node(run->p, places[i]);

		if (g->op == DH_SCAN_GLOBAL && run->p->symbols[g->a].flags & DH_SCAN_SYM_FUNCTION)
			ret[n++] = g->a;
	}
	if (n || !node)
		return n;
	t = dh_scan_functions_of(run->links, f->fn, node);
	for (uint32_t i = 0; i < t.n && n < max; i++)
		ret[n++] = t.symbols[i];
	return n;
}

/* Too many functions to follow: they are executed later by themselves, with the locks that all such
 * callers hold. */
static void note_cut(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, const struct dh_scan_targets *t)
{
	uint32_t locks = dh_scan_outer_locks(run, s);
	uint64_t key = ((uint64_t)f->fn << 32 | stmt) * UINT64_C(0x9e3779b97f4a7c15) + locks;

	run->counts.cut_targets++;
	if (dh_map_get(&run->cut_sites, key, NULL))
		return;
	dh_map_set(&run->cut_sites, key, 1);
	for (uint32_t i = 0; i < t->n; i++) {
		struct dh_scan_fn *to = &run->fns[run->p->symbols[t->symbols[i]].function];

		to->outer =
			to->outer_known ? dh_lockset_intersect(run->sets, to->outer, locks) : locks;
		if (!to->outer_known) {
			to->outer_fn = f->fn;
			to->outer_stmt = stmt;
		}
		to->outer_known = true;
	}
}

static uint32_t find_targets(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_state *s, uint32_t stmt, uint32_t *ret)
{
	const struct dh_scan_stmt *st = &f->body->stmts[stmt];
	uint32_t direct = dh_scan_callee(run->p, st), n;
	struct dh_scan_targets t;

	if (direct) {
		ret[0] = direct;
		return 1;
	}
	n = run->kernel ? 0
			: dh_scan_functions(run, f, dh_scan_eval(run, f, s, st->addr), 0, ret,
				  run->limits.targets);
	if (n)
		return n;
	t = dh_scan_targets(run->links, f->fn, stmt);
	if (t.n > run->limits.targets || (run->kernel && s->n_held > MAX_BELIEVED)) {
		note_cut(run, f, s, stmt, &t);
		return 0;
	}
	for (uint32_t i = 0; i < t.n; i++)
		ret[i] = t.symbols[i];
	return t.n;
}

static bool holds_lock_of(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t object)
{
	for (uint32_t i = 0; i < s->n_held; i++)
		if (dh_scan_contains(run->p, run->locks[s->held[i].lock].node, object))
			return true;
	return false;
}

/* Memory or null, and a lock of the memory is held: it is the memory, and the callee has to know
 * both by one name. */
static uint32_t without_null(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t value)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, value);
	uint32_t other;
	int64_t v;

	if (!y || y->kind != DH_SYM_SET || y->n_values != 2)
		return value;
	other = dh_scan_is_const(run->p, y->values[0], &v) ? y->values[1] : y->values[0];
	if (!dh_scan_is_const(run->p, y->values[other == y->values[0]], &v) || v != 0)
		return value;
	return dh_sym_kind(&run->syms, other) == DH_SYM_HEAP && holds_lock_of(run, s, other)
		       ? other
		       : value;
}

enum dh_scan_outcome dh_scan_exec_call(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it, uint32_t stmt)
{
	const struct dh_scan_stmt *st = &f->body->stmts[stmt];
	uint32_t args[MAX_ARGS], targets[MAX_TARGETS], n_args = DH_MIN(st->n_args, MAX_ARGS), n;

	for (uint32_t i = 0; i < n_args; i++) {
		uint32_t v = dh_scan_eval(run, f, &it->state, dh_scan_args(f->body, st)[i]);

		args[i] = without_null(run, &it->state, dh_scan_fold(run, &it->state, v));
	}
	n = find_targets(run, f, &it->state, stmt, targets);
	if (n == 1)
		return call_one(run, f, it, stmt, targets[0], args, n_args);
	if (n > 1)
		return call_each(run, f, it, stmt, targets, n, args, n_args);
	call_unknown(run, f, it, stmt, args, n_args);
	return DH_EXEC_NEXT;
}
