/* What the functions of the retargeting table do: one handler per verb.  Threads and calls are
 * here, the rest in the files that rule.h names. */
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

static enum dh_scan_outcome create(struct dh_rule_call *c)
{
	enum dh_scan_thread_kind kind =
		c->rule->verb == DH_SV_ASYNC ? DH_THREAD_ASYNC : DH_THREAD_NORMAL;
	uint32_t starts[8], n;

	if (c->run->kernel)
		return start_later(c);
	n = dh_scan_functions(c->run, c->f, dh_rule_arg(c, 0), dh_rule_arg_node(c, 0), starts, 8);

	for (uint32_t i = 0; i < n; i++) {
		enum dh_scan_outcome o = dh_scan_create(c->run, c->f, c->it, c->stmt, kind,
			starts[i], dh_rule_arg(c, 1), dh_rule_arg(c, 2));

		if (o != DH_EXEC_NEXT)
			return o;
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

static enum dh_scan_outcome join(struct dh_rule_call *c)
{
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
	dh_scan_join(c->run, c->f, c->s, c->it->node, id, indexed);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
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

static enum dh_scan_outcome handler(struct dh_rule_call *c)
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

static enum dh_scan_outcome calls(struct dh_rule_call *c)
{
	uint32_t fns[4], values[DH_SCAN_ARGS];
	uint32_t n =
		dh_scan_functions(c->run, c->f, dh_rule_arg(c, 0), dh_rule_arg_node(c, 0), fns, 4);

	dh_rule_touch(c);
	for (unsigned i = 1; i < c->rule->n_args; i++)
		values[i - 1] = dh_rule_arg(c, i);
	if (n != 1) {
		dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
		return DH_EXEC_NEXT;
	}
	return dh_scan_call_function(
		c->run, c->f, c->it, c->stmt, fns[0], values, c->rule->n_args - 1u);
}

static enum dh_scan_outcome blocks(struct dh_rule_call *c)
{
	dh_scan_may_block(c->run, c->f, c->s, c->stmt, c->rule->name);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome exits(struct dh_rule_call *c)
{
	struct dh_scan_thread *t = &c->run->threads[c->f->thread];

	t->exit_live = dh_lockset_union(c->run->sets, t->exit_live, c->s->live);
	return DH_EXEC_END;
}

static enum dh_scan_outcome throws(struct dh_rule_call *c)
{
	c->s->supposed |= (c->rule->words & DH_SW_MAYBE) != 0;
	dh_scan_throw(c->run, c->f, c->it, c->stmt, c->s);
	return DH_EXEC_END;
}

static enum dh_scan_outcome catches(struct dh_rule_call *c)
{
	c->s->supposed = false;
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome supposes(struct dh_rule_call *c)
{
	c->s->supposed = true;
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome start(struct dh_rule_call *c)
{
	return dh_scan_start_object(c->run, c->f, c->it, c->stmt, dh_rule_arg(c, 0),
		dh_rule_arg(c, 1), dh_rule_guard_cell(c->run, dh_rule_arg(c, 0), 0));
}

static enum dh_scan_outcome (*const handlers[DH_SV_COUNT])(struct dh_rule_call *c) = {
	[DH_SV_ACQUIRE] = dh_rule_acquire,
	[DH_SV_RELEASE] = dh_rule_release,
	[DH_SV_TRY] = dh_rule_try,
	[DH_SV_INIT] = dh_rule_init,
	[DH_SV_DESTROY] = dh_rule_destroy,
	[DH_SV_HELD] = dh_rule_held,
	[DH_SV_GUARD] = dh_rule_guard,
	[DH_SV_UNGUARD] = dh_rule_unguard,
	[DH_SV_RELOCK] = dh_rule_relock_guard,
	[DH_SV_UNLOCK] = dh_rule_unlock_guard,
	[DH_SV_WAIT] = dh_rule_wait,
	[DH_SV_SIGNAL] = dh_rule_signal,
	[DH_SV_SEM_WAIT] = dh_rule_sem_wait,
	[DH_SV_SEM_TRY] = dh_rule_try,
	[DH_SV_SEM_POST] = dh_rule_sem_post,
	[DH_SV_SEM_INIT] = dh_rule_sem_init,
	[DH_SV_BARRIER] = dh_rule_barrier,
	[DH_SV_CREATE] = create,
	[DH_SV_START] = start,
	[DH_SV_JOIN] = join,
	[DH_SV_DETACH] = dh_rule_init,
	[DH_SV_ONCE] = dh_rule_once,
	[DH_SV_HANDLER] = handler,
	[DH_SV_ASYNC] = create,
	[DH_SV_CALLS] = calls,
	[DH_SV_ALLOC] = dh_rule_alloc,
	[DH_SV_FREE] = dh_rule_free,
	[DH_SV_EXITS] = exits,
	[DH_SV_THROWS] = throws,
	[DH_SV_CATCHES] = catches,
	[DH_SV_SUPPOSES] = supposes,
	[DH_SV_BLOCKS] = blocks,
	[DH_SV_ATOMIC] = dh_rule_atomic,
	[DH_SV_EFFECT] = dh_rule_effect,
	[DH_SV_LOCK_TYPE] = dh_rule_lock_type,
	[DH_SV_MASK] = dh_rule_mask,
	[DH_SV_ALL] = dh_rule_lock_all,
	[DH_SV_OWNS] = dh_rule_owns_guard,
	[DH_SV_SECTION] = dh_rule_section,
};

enum dh_scan_outcome dh_scan_apply(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, const struct dh_scan_rule *rule,
	const uint32_t *args, uint32_t n_args)
{
	struct dh_rule_call c = {run, f, it, &it->state, stmt, rule, args, n_args};

	return handlers[rule->verb] ? handlers[rule->verb](&c) : DH_EXEC_NEXT;
}
