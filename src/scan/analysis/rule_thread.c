/* What functions of the table do with threads: create and join them, start objects that are
 * threads, and say which function handles a signal. */
#include <signal.h>

#include "scan/analysis/call.h"
#include "scan/analysis/rule.h"
#include "scan/analysis/value.h"

/* A kernel's threads are roots already (roots.c); what they are given is seen by others now. */
static enum dh_scan_outcome start_later(struct dh_rule_call *c)
{
	for (uint32_t i = 0; i < c->n_args; i++) {
		dh_scan_publish(c->run, c->s, c->args[i]);
		dh_scan_escape(c->run, c->args[i]);
	}
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

/* How many of the thread a loop creates. */
static void note_rounds(struct dh_rule_call *c, enum dh_scan_thread_kind kind, uint32_t start)
{
	uint32_t id, element = dh_rule_arg_node(c, 2);

	if (!element || !c->run->p->symbols[start].function)
		return;
	id = dh_scan_thread_id(c->run, c->f, c->stmt, kind, start, dh_rule_arg(c, 1));
	c->run->threads[dh_sym_of(&c->run->syms, id)->at].rounds =
		dh_scan_rounds_of(c->run, c->f, c->stmt, element);
}

static enum dh_scan_outcome create(struct dh_rule_call *c)
{
	enum dh_scan_thread_kind kind =
		c->rule->verb == DH_SV_ASYNC ? DH_THREAD_ASYNC : DH_THREAD_NORMAL;
	uint32_t starts[8], n;

	n = dh_scan_functions(c->run, c->f, dh_rule_arg(c, 0), dh_rule_arg_node(c, 0), starts, 8);

	for (uint32_t i = 0; i < n; i++) {
		enum dh_scan_outcome o = dh_scan_create(c->run, c->f, c->it, c->stmt, kind,
			starts[i], dh_rule_arg(c, 1), dh_rule_arg(c, 2));

		if (o != DH_EXEC_NEXT)
			return o;
		note_rounds(c, kind, starts[i]);
	}
	if (dh_rule_arg(c, 2)) {
		dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	} else if (n) {
		/* The result is the id. */
		dh_scan_set_result(c->run, c->f, c->s, c->stmt,
			dh_scan_thread_id(
				c->run, c->f, c->stmt, kind, starts[0], dh_rule_arg(c, 1)));
	}
	return DH_EXEC_NEXT;
}

/* Where other threads run already, it matters what is done when one more cannot be created. */
enum dh_scan_outcome dh_rule_create(struct dh_rule_call *c)
{
	struct dh_scan_state failed = {0};
	enum dh_scan_outcome o;
	bool fails;

	if (c->run->kernel)
		return start_later(c);
	fails = dh_rule_arg(c, 2) && c->s->live != DH_LOCKSET_EMPTY && dh_rule_may_fail(c);
	if (fails)
		dh_scan_state_copy(&failed, c->s);
	o = create(c);
	if (fails && o == DH_EXEC_NEXT)
		dh_rule_fail(c, &failed);
	dh_scan_state_release(&failed);
	return o;
}

/* Which of a table of threads a loop joins; what two of them do together is not known. */
static struct dh_scan_rounds joined_rounds(struct dh_rule_call *c)
{
	const struct dh_scan_node *n = dh_scan_node(c->run->p, dh_rule_arg_node(c, 0));
	struct dh_scan_rounds r =
		dh_scan_rounds_of(c->run, c->f, c->stmt, n->op == DH_SCAN_LOAD ? n->a : 0);

	r.known = r.known && dh_scan_is_only_call(c->run, c->f, c->rule);
	return r;
}

enum dh_scan_outcome dh_rule_join(struct dh_rule_call *c)
{
	struct dh_scan_rounds rounds = joined_rounds(c);
	uint32_t id = dh_rule_arg(c, 0);
	uint32_t cell = c->rule->words & DH_SW_BYVALUE ? id : 0;
	/* An id that does not stand in a plain variable stands in a table with others. */
	struct dh_scan_node n = *dh_scan_node(c->run->p, dh_rule_arg_node(c, 0));
	uint8_t from = n.op == DH_SCAN_LOAD ? dh_scan_node(c->run->p, n.a)->op : (uint8_t)n.op;
	bool indexed = (from == DH_SCAN_INDEX && !dh_scan_is_one_element(c->run, c->f, c->it->node,
							 n.op == DH_SCAN_LOAD ? n.a : 0)) ||
		       from == DH_SCAN_FIELD || from == DH_SCAN_LOAD;

	if (cell)
		id = dh_scan_load_value(c->run, c->s, dh_rule_guard_cell(c->run, cell, 0));
	dh_rule_forget_shared(c);
	dh_scan_await(c->run, c->f, c->s, c->stmt, id);
	dh_scan_join(c->run, c->f, c->s, c->it->node, id, indexed, &rounds);
	if (dh_rule_arg(c, 1))
		dh_scan_store_value(
			c->run, c->s, dh_rule_arg(c, 1), dh_scan_thread_result(c->run, id));
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

/* The id of who calls. */
enum dh_scan_outcome dh_rule_self(struct dh_rule_call *c)
{
	dh_scan_set_result(c->run, c->f, c->s, c->stmt,
		dh_sym_get(&c->run->syms, DH_SYM_THREAD, 0, c->f->thread, 1));
	return DH_EXEC_NEXT;
}

/* Signals that a thread gets for a fault of its own: the program is at its end. */
static bool is_fatal(const struct dh_rule_call *c)
{
	static const uint8_t faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
	int64_t signal;

	if (!dh_rule_arg(c, 1) || !dh_scan_is_const(c->run->p, dh_rule_arg(c, 1), &signal))
		return false;
	for (size_t i = 0; i < DH_ARRAY_SIZE(faults); i++)
		if (faults[i] == signal)
			return true;
	return false;
}

enum dh_scan_outcome dh_rule_handler(struct dh_rule_call *c)
{
	uint32_t fns[4], value = dh_rule_arg(c, 0), n;

	if (c->run->kernel)
		return start_later(c);
	/* A struct sigaction: whatever function it has. */
	for (uint32_t i = 0; i < c->s->n_cells; i++) {
		const struct dh_scan_cell *cell = &c->s->cells[i];
		const struct dh_scan_node *g = dh_scan_node(c->run->p, cell->value);

		if (value &&
			dh_scan_base(c->run->p, cell->addr) == dh_scan_base(c->run->p, value) &&
			g->op == DH_SCAN_GLOBAL &&
			c->run->p->symbols[g->a].flags & DH_SCAN_SYM_FUNCTION) {
			value = cell->value;
			break;
		}
	}
	n = dh_scan_functions(c->run, c->f, value, 0, fns, 4);
	for (uint32_t i = 0; i < n; i++) {
		enum dh_scan_outcome o = dh_scan_create(
			c->run, c->f, c->it, c->stmt, DH_THREAD_SIGNAL, fns[i], 0, 0);

		if (o != DH_EXEC_NEXT)
			return o;
		uint32_t id = dh_scan_thread_id(c->run, c->f, c->stmt, DH_THREAD_SIGNAL, fns[i], 0);

		c->run->threads[dh_sym_of(&c->run->syms, id)->at].dying = is_fatal(c);
	}
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_start(struct dh_rule_call *c)
{
	return dh_scan_start_object(c->run, c->f, c->it, c->stmt, dh_rule_arg(c, 0),
		dh_rule_arg(c, 1), dh_rule_guard_cell(c->run, dh_rule_arg(c, 0), 0));
}
