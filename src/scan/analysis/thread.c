/* Threads: where they begin, which of them run at the same time. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/analysis/call.h"
#include "scan/analysis/reach.h"
#include "scan/analysis/run.h"
#include "scan/analysis/turn.h"
#include "scan/analysis/value.h"

uint32_t dh_scan_thread_get(struct dh_scan_run *run, enum dh_scan_thread_kind kind, uint32_t fn,
	uint32_t by_fn, uint32_t by_stmt, uint32_t at_stmt, uint32_t arg)
{
	/* Elements of an array and rounds of a loop are one thread with many instances. */
	uint32_t plain = arg ? dh_sym_any_index(&run->syms, arg) : 0;
	enum dh_sym_kind k =
		plain ? dh_sym_kind(&run->syms, dh_scan_base(run->p, plain)) : DH_SYM_NONE;

	if (k == DH_SYM_PHI || k == DH_SYM_OLD || !dh_sym_is_placed(&run->syms, plain))
		plain = 0;
	for (uint32_t i = 0; i < run->n_threads; i++) {
		const struct dh_scan_thread *t = &run->threads[i];

		if (t->kind == kind && t->fn == fn && t->by_fn == by_fn && t->by_stmt == by_stmt &&
			t->at_stmt == at_stmt && t->arg == plain)
			return i;
	}
	DH_GROW(run->threads, run->n_threads, run->cap_threads);
	run->threads[run->n_threads] = (struct dh_scan_thread){.kind = kind,
		.fn = fn,
		.by_fn = by_fn,
		.by_stmt = by_stmt,
		.at_stmt = at_stmt,
		.arg = plain};
	return run->n_threads++;
}

bool dh_scan_is_descendant(struct dh_scan_run *run, uint32_t thread, uint32_t of)
{
	uint32_t todo[64], seen[64], n = 0, n_seen = 0;

	todo[n++] = thread;
	while (n) {
		uint32_t t = todo[--n];
		size_t m;
		const uint32_t *parents = dh_lockset_locks(run->sets, run->threads[t].parents, &m);

		for (size_t i = 0; i < m; i++) {
			bool known = false;

			if (parents[i] == of)
				return true;
			for (uint32_t j = 0; j < n_seen; j++)
				known |= seen[j] == parents[i];
			if (!known && n < 64 && n_seen < 64)
				todo[n++] = seen[n_seen++] = parents[i];
		}
	}
	return false;
}

/* Names that differ from one creation to the next: the index of a loop, what it allocated. */
static uint32_t own_name(struct dh_scan_run *run, uint32_t thread, uint32_t node)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, node);

	if (y && (y->kind == DH_SYM_PHI || y->kind == DH_SYM_HEAP || y->kind == DH_SYM_RESULT))
		return dh_sym_get(&run->syms, DH_SYM_OWN, 0, thread, node);
	return node;
}

/* The value as the new thread sees it. */
static uint32_t own_value(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t thread,
	uint32_t node, uint32_t depth)
{
	struct dh_scan_node n = *dh_scan_node(run->p, node);
	uint32_t a, b;

	if (depth > 16)
		return node;
	switch (n.op) {
	case DH_SCAN_THREAD:
		/* Memory is only its own if nobody else has it, and one of many. */
		if (dh_sym_kind(&run->syms, node) == DH_SYM_HEAP &&
			(!dh_lockset_contains(run->sets, s->fresh, node) ||
				!dh_sym_of(&run->syms, node)->many))
			return node;
		return own_name(run, thread, node);
	case DH_SCAN_FIELD:
		return dh_scan_field_of(run->p, own_value(run, s, thread, n.a, depth + 1), n.b);
	case DH_SCAN_INDEX:
		a = own_value(run, s, thread, n.a, depth + 1);
		b = own_value(run, s, thread, n.b, depth + 1);
		return dh_scan_index(run->p, a, b);
	case DH_SCAN_BINARY:
		a = own_value(run, s, thread, n.a, depth + 1);
		b = own_value(run, s, thread, n.b, depth + 1);
		return dh_scan_binary(run->p, n.sub, a, b);
	default:
		return node;
	}
}

/* Elements that are handed over: nobody else's from here on. */
static void share_elements(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t value)
{
	for (uint32_t at = value; at;) {
		const struct dh_scan_node *n = dh_scan_node(run->p, at);

		if (n->op == DH_SCAN_INDEX)
			s->shared = dh_lockset_add(run->sets, s->shared, at);
		if (n->op != DH_SCAN_FIELD && n->op != DH_SCAN_INDEX && n->op != DH_SCAN_OFFSET)
			break;
		at = n->a;
	}
}

static void pass_own_cells(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t thread,
	uint32_t arg, uint32_t own, struct dh_scan_state *e)
{
	struct dh_scan_state tmp = {0};
	uint32_t base = dh_scan_base(run->p, arg), own_base = dh_scan_base(run->p, own);

	dh_scan_pass_cells(run, s, &arg, 1, &tmp);
	for (uint32_t i = 0; i < tmp.n_cells; i++) {
		uint32_t addr = tmp.cells[i].addr;
		uint32_t value = tmp.cells[i].value;
		int64_t v;

		/* A number that others change while the thread runs. */
		if (dh_scan_is_const(run->p, value, &v) && !dh_scan_is_kept(run, addr, thread))
			continue;

		/* What an element contains differs like the element. */
		if (arg != own)
			value = own_value(run, s, thread, value, 0);
		if (arg != own && dh_scan_contains(run->p, addr, arg))
			addr = dh_sym_subst(&run->syms, addr, arg, own);
		else if (base != own_base)
			addr = dh_sym_subst(&run->syms, addr, base, own_base);
		dh_scan_state_set(e, addr, value);
	}
	dh_scan_state_release(&tmp);
}

void dh_scan_lend(struct dh_scan_run *run, uint32_t value, uint32_t thread)
{
	const struct dh_scan_node *n =
		dh_scan_node(run->p, value ? dh_scan_object(run->p, value) : 0);
	uint64_t set = DH_LOCKSET_EMPTY;

	if (n->op != DH_SCAN_GLOBAL || !(run->p->symbols[n->a].flags & DH_SCAN_SYM_THREAD))
		return;
	dh_map_get(&run->lent, n->a, &set);
	dh_map_set(&run->lent, n->a, dh_lockset_add(run->sets, (uint32_t)set, thread));
}

static void note_beside(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t t)
{
	struct dh_scan_thread *th = &run->threads[t];

	th->beside = dh_lockset_union(run->sets, th->beside, s->live);
}

/* The thread's own beginning: what was over before it was created stays over. */
static uint32_t thread_context(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t t, uint32_t fn, uint32_t arg)
{
	struct dh_scan_state e = {.joined = s->joined, .waited = s->waited, .concurrent = true};
	uint32_t own = arg ? own_value(run, s, t, arg, 0) : 0;
	uint32_t n_args = DH_MIN(run->p->functions[fn]->n_params, 1u);

	if (arg)
		pass_own_cells(run, s, t, arg, own, &e);
	dh_scan_begin_modes(run, s, t, &e);
	return dh_scan_context_get(run, fn, t, &e, &own, n_args, f->context, stmt);
}

/* Where a thread is created, as its identity: a function that creates a thread creates another one
 * for each of its callers. */
static uint32_t thread_of(struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t stmt,
	enum dh_scan_thread_kind kind, uint32_t fn, uint32_t arg)
{
	const struct dh_scan_context *c = &run->contexts[f->context];

	if (!c->by || run->contexts[c->by].thread != c->thread)
		return dh_scan_thread_get(run, kind, fn, f->fn, stmt, 0, arg);
	return dh_scan_thread_get(
		run, kind, fn, run->contexts[c->by].fn, c->by_stmt, stmt + 1, arg);
}

/* Whether a loop starts one thread for each function of a table. */
static bool from_table(struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t stmt)
{
	const struct dh_scan_stmt *s = &f->body->stmts[stmt];
	int64_t v;

	for (uint32_t i = 0; i < s->n_args; i++) {
		struct dh_scan_node n = *dh_scan_node(run->p, dh_scan_args(f->body, s)[i]);
		struct dh_scan_node m = *dh_scan_node(run->p, n.op == DH_SCAN_LOAD ? n.a : 0);
		struct dh_scan_targets t;

		if (m.op == DH_SCAN_FIELD)
			m = *dh_scan_node(run->p, m.a);
		if (m.op != DH_SCAN_INDEX || dh_scan_is_const(run->p, m.b, &v))
			continue;
		t = dh_scan_functions_of(run->links, f->fn, dh_scan_args(f->body, s)[i]);
		if (t.n && t.how == DH_SCAN_BY_FLOW)
			return true;
	}
	return false;
}

uint32_t dh_scan_thread_id(struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t stmt,
	enum dh_scan_thread_kind kind, uint32_t start, uint32_t arg)
{
	uint32_t t = thread_of(run, f, stmt, kind, run->p->symbols[start].function, arg);

	return dh_sym_get(&run->syms, DH_SYM_THREAD, 0, t, 0);
}

/* What is true whichever way the thread ends. */
static void note_exits(struct dh_scan_run *run, uint32_t t, uint32_t context)
{
	struct dh_scan_thread *th = &run->threads[t];
	uint32_t joined = DH_LOCKSET_EMPTY, n = 0, cell = dh_scan_return_cell(run, th->fn);

	for (uint32_t i = 0; context && i < run->contexts[context].n_exits; i++) {
		const struct dh_scan_state *s = &run->contexts[context].exits[i].state;

		if (run->contexts[context].exits[i].way != DH_WAY_RETURN)
			continue; /* that ends the program */

		uint32_t value = dh_scan_state_get(s, cell);

		th->result = n && value != th->result ? 0 : value;
		th->exit_live = dh_lockset_union(run->sets, th->exit_live, s->live);
		joined = n++ ? dh_lockset_intersect(run->sets, joined, s->joined) : s->joined;
	}
	/* The last one counts: it knows most of the threads. */
	th->exit_joined = joined;
}

enum dh_scan_outcome dh_scan_create(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, enum dh_scan_thread_kind kind, uint32_t start,
	uint32_t arg, uint32_t id_addr)
{
	struct dh_scan_state *s = &it->state;
	bool one_each = kind == DH_THREAD_NORMAL && from_table(run, f, stmt);
	uint32_t fn = run->p->symbols[start].function, t, context, id;

	if (!fn)
		return DH_EXEC_NEXT;
	t = thread_of(run, f, stmt, kind, fn, arg);
	run->threads[t].parents = dh_lockset_add(run->sets, run->threads[t].parents, f->thread);
	context = thread_context(run, f, s, stmt, t, fn, arg);
	dh_scan_under_create(run, f, s, t, !run->threads[t].begun);
	run->threads[t].begun = true;
	if (context && !run->contexts[context].done && !run->contexts[context].active) {
		dh_scan_enter(run, context);
		return DH_EXEC_WAIT;
	}
	struct dh_scan_thread *th = &run->threads[t];

	th->created = true;
	if (kind != DH_THREAD_SIGNAL &&
		(kind == DH_THREAD_ASYNC ||
			(dh_lockset_contains(run->sets, s->live, t) && !one_each) ||
			run->threads[f->thread].many || (context && run->contexts[context].active)))
		th->many = true;
	note_beside(run, s, t);
	note_exits(run, t, context);
	s->live = dh_lockset_add(run->sets, s->live, t);
	s->joined = dh_lockset_remove(run->sets, s->joined, t);
	s->concurrent = true;
	dh_scan_lend(run, arg, f->thread);
	dh_scan_publish(run, s, arg);
	dh_scan_escape(run, arg);
	share_elements(run, s, arg);
	id = dh_sym_get(&run->syms, DH_SYM_THREAD, 0, t, 0);
	if (id_addr) {
		dh_scan_store_value(run, s, id_addr, id);
		dh_scan_memory_add(run, id_addr, id);
	}
	return DH_EXEC_NEXT;
}

/* What the thread has waited for is over when it is. */
static void join_others(
	struct dh_scan_run *run, struct dh_scan_state *s, const struct dh_scan_thread *t)
{
	size_t n;

	dh_lockset_locks(run->sets, t->exit_joined, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t other = dh_lockset_locks(run->sets, t->exit_joined, &n)[i];

		if (dh_lockset_contains(run->sets, t->exit_live, other) ||
			run->threads[other].many || run->threads[other].was_many)
			continue;
		s->live = dh_lockset_remove(run->sets, s->live, other);
		s->joined = dh_lockset_add(run->sets, s->joined, other);
	}
}

/* Whether a loop leaves out some of the elements whose threads another one has created. */
static bool joins_fewer(const struct dh_scan_rounds *created, const struct dh_scan_rounds *joined)
{
	return created->known && joined->known &&
	       (joined->first > created->first || joined->end < created->end);
}

static void join_one(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t id, bool all,
	const struct dh_scan_rounds *rounds)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, id);

	if (!y || y->kind != DH_SYM_THREAD)
		return;
	const struct dh_scan_thread *t = &run->threads[y->at];

	/* One id of many instances: the others go on, and so do those that have not told theirs. */
	if ((t->many || t->was_many) && (!all || y->other || joins_fewer(&t->rounds, rounds)))
		return;
	s->live = dh_lockset_union(
		run->sets, dh_lockset_remove(run->sets, s->live, y->at), t->exit_live);
	s->joined = dh_lockset_add(run->sets, s->joined, y->at);
	join_others(run, s, t);
}

uint32_t dh_scan_thread_result(struct dh_scan_run *run, uint32_t id)
{
	const struct dh_sym *y = id ? dh_sym_of(&run->syms, id) : NULL;

	return y && y->kind == DH_SYM_THREAD ? run->threads[y->at].result : 0;
}

static void join_all(struct dh_scan_run *run, struct dh_scan_state *s)
{
	static const struct dh_scan_rounds unknown = {0};
	size_t n;
	uint32_t live = s->live;

	dh_lockset_locks(run->sets, live, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t t = dh_lockset_locks(run->sets, live, &n)[i];

		if (run->threads[t].kind == DH_THREAD_NORMAL)
			join_one(run, s, dh_sym_get(&run->syms, DH_SYM_THREAD, 0, t, 0), true,
				&unknown);
	}
}

void dh_scan_await(struct dh_scan_run *run, struct dh_scan_frame *f, const struct dh_scan_state *s,
	uint32_t stmt, uint32_t id)
{
	const struct dh_sym *y = id ? dh_sym_of(&run->syms, id) : NULL;

	if (!y || y->kind != DH_SYM_THREAD || !s->n_held)
		return;
	run->threads[y->at].awaited = true;
	id = dh_sym_get(&run->syms, DH_SYM_THREAD, 0, y->at, 0);
	dh_scan_note_order(run, f, s, stmt, dh_scan_lock_get(run, id, false, 0), false, false);
}

static uint32_t loop_of_stmt(const struct dh_scan_frame *f, uint32_t stmt)
{
	for (uint32_t i = 0; i < f->body->n_blocks; i++)
		if (stmt - f->body->blocks[i].first < f->body->blocks[i].n)
			return f->prep->loop[i];
	return 0;
}

/* Whether each round of one loop creates the thread and joins it again: no other is left. */
static bool is_of_round(
	struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t node, uint32_t id)
{
	const struct dh_scan_thread *t = &run->threads[dh_sym_of(&run->syms, id)->at];
	uint32_t loop = f->prep->loop[f->prep->original[node]];

	return t->by_fn == f->fn && loop && loop_of_stmt(f, t->by_stmt) == loop;
}

bool dh_scan_is_one_element(
	struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t node, uint32_t addr)
{
	const struct dh_scan_node *n = dh_scan_node(run->p, addr);
	int64_t v;

	return !f->prep->loop[f->prep->original[node]] && n->op == DH_SCAN_INDEX &&
	       dh_scan_is_const(run->p, n->b, &v);
}

void dh_scan_join(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t node, uint32_t id, bool indexed, const struct dh_scan_rounds *rounds)
{
	const struct dh_sym *y = id ? dh_sym_of(&run->syms, id) : NULL;
	bool looped = f->prep->loop[f->prep->original[node]] != 0;
	uint32_t n;
	bool more, known = false;

	if (y && y->kind == DH_SYM_SET) {
		uint32_t no = dh_scan_node(run->p, id)->a;

		for (uint32_t i = 0; i < run->syms.rows[no].n_values; i++)
			join_one(run, s, run->syms.rows[no].values[i], true, rounds);
		return;
	}
	if (id && dh_scan_node(run->p, id)->op == DH_SCAN_LOAD) {
		/* An element of a table of ids: a loop over all of them. */
		uint32_t places[8], k, at = dh_scan_node(run->p, id)->a;
		bool all = !dh_scan_is_one_element(run, f, node, at);

		k = dh_scan_resolve(run, at, places, 8);
		for (uint32_t j = 0; j < k; j++) {
			dh_scan_memory_get(run, places[j], &n, &more);
			for (uint32_t i = 0; i < n; i++, known = true)
				join_one(run, s, dh_scan_memory_get(run, places[j], &n, &more)[i],
					all, rounds);
		}
	} else if (y && y->kind == DH_SYM_THREAD) {
		join_one(run, s, id, indexed || is_of_round(run, f, node, id), rounds);
		known = true;
	}
	/* Ids that cannot be followed, in a loop: programs join all that they started. */
	if (!known && looped)
		join_all(run, s);
}

#define RUN "6_M_runEv"

/* The virtual function that runs a C++ thread's state: the linker's name of the state's
 * constructor, which the function calls before, begins like the one of _M_run() of the same class.
 */
static uint32_t find_run(struct dh_scan_run *run, const struct dh_scan_frame *f)
{
	for (uint32_t i = 0; i < f->body->n_stmts; i++) {
		const struct dh_scan_stmt *s = &f->body->stmts[i];
		uint32_t callee = s->op == DH_SCAN_CALLS ? dh_scan_callee(run->p, s) : 0;
		const char *name = callee ? dh_scan_text(run->p, run->p->symbols[callee].name) : "";

		if (!strstr(name, "_State_impl"))
			continue;
		for (uint32_t j = 1; j < run->p->n_functions; j++) {
			uint32_t symbol = run->p->functions[j]->symbol;
			const char *other = dh_scan_text(run->p, run->p->symbols[symbol].name);
			size_t n = strlen(other), tail = strlen(RUN);

			if (n > tail && !strcmp(other + n - tail, RUN) &&
				!strncmp(name, other, n - tail))
				return symbol;
		}
	}
	return 0;
}

/* The thread gets the object, and who held it has it no more. */
static enum dh_scan_outcome start_with(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, uint32_t start, uint32_t cell, uint32_t object,
	uint32_t id_cell)
{
	enum dh_scan_outcome o =
		dh_scan_create(run, f, it, stmt, DH_THREAD_NORMAL, start, object, id_cell);

	if (o == DH_EXEC_NEXT)
		dh_scan_state_set(&it->state, cell, dh_scan_const(run->p, 0));
	return o;
}

enum dh_scan_outcome dh_scan_start_object(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, uint32_t id, uint32_t holder, uint32_t id_cell)
{
	struct dh_scan_state *s = &it->state;
	uint32_t base = holder ? dh_scan_base(run->p, holder) : 0, start = find_run(run, f);

	(void)id;
	if (!start)
		return DH_EXEC_NEXT;
	/* The object is what the unique_ptr behind the argument points to. */
	for (uint32_t i = 0; base && i < s->n_cells; i++) {
		uint32_t object = dh_scan_base(run->p, s->cells[i].value);

		if (dh_scan_base(run->p, s->cells[i].addr) == base &&
			dh_sym_kind(&run->syms, object) == DH_SYM_HEAP)
			return start_with(
				run, f, it, stmt, start, s->cells[i].addr, object, id_cell);
	}
	return dh_scan_create(run, f, it, stmt, DH_THREAD_NORMAL, start, 0, id_cell);
}
