/* Descriptors: who reads from a pipe or a socket waits for who writes to it, and who closes a
 * descriptor that a variable has takes it away from those who use it. */
#include "scan/analysis/call.h"
#include "scan/analysis/rule.h"
#include "scan/analysis/value.h"

/* A place that no member has: the descriptor whose number stands at the address. */
#define DESCRIPTOR 0x710000

/* The array that has both ends of a pipe. */
static uint32_t array_of(struct dh_scan_run *run, uint32_t addr)
{
	while (dh_scan_node(run->p, addr)->op == DH_SCAN_INDEX)
		addr = dh_scan_node(run->p, addr)->a;
	return addr;
}

/* Whether calls that open connections made the value. */
static bool is_opened(struct dh_scan_run *run, uint32_t value, int depth)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, value);
	const struct dh_scan_function *f;
	const struct dh_scan_rule *r;
	uint32_t callee;

	for (uint32_t i = 0; y && y->kind == DH_SYM_PHI && i < y->n_values; i++)
		if (depth > 2 || !is_opened(run, y->values[i], depth + 1))
			return false;
	if (!y || y->kind != DH_SYM_RESULT)
		return y && y->kind == DH_SYM_PHI && y->n_values;
	f = run->p->functions[y->fn];
	callee = y->at < f->n_stmts ? dh_scan_callee(run->p, &f->stmts[y->at]) : 0;
	r = callee ? dh_scan_rule_of(run, callee) : NULL;
	return r && (r->verb == DH_SV_CHANNEL || r->verb == DH_SV_RECEIVE) && r->words & DH_SW_ALL;
}

/* What reads and writes of the descriptor have in common; 0: it may be a plain file. */
static uint32_t event_of(struct dh_rule_call *c, uint32_t fd)
{
	struct dh_scan_node n = *dh_scan_node(c->run->p, fd);
	uint32_t array = n.op == DH_SCAN_LOAD ? array_of(c->run, n.a) : 0;

	if (array && dh_map_get(&c->run->channels, array, NULL))
		return array;
	/* Both ends of a connection are descriptors of their own. */
	return is_opened(c->run, fd, 0) ? dh_rule_named_lock(c->run, "connections") : 0;
}

/* Whether nobody else runs yet. */
static bool is_alone(const struct dh_rule_call *c)
{
	return c->run->threads[c->f->thread].kind == DH_THREAD_MAIN &&
	       c->s->live == DH_LOCKSET_EMPTY;
}

static void use(struct dh_rule_call *c, uint32_t fd, bool closes)
{
	struct dh_scan_node n = *dh_scan_node(c->run->p, fd);

	if (c->run->kernel || n.op != DH_SCAN_LOAD || !dh_sym_is_placed(&c->run->syms, n.a))
		return;
	if (closes && !is_alone(c))
		dh_map_set(&c->run->unsettled, fd, 1);
	if (dh_map_get(&c->run->unsettled, fd, NULL))
		dh_scan_touch(c->run, c->f, c->s, c->stmt,
			dh_scan_offset(c->run->p, n.a, DESCRIPTOR), 4,
			closes ? DH_SA_WRITE : DH_SA_ATOMIC);
}

enum dh_scan_outcome dh_rule_channel(struct dh_rule_call *c)
{
	dh_rule_touch(c);
	if (dh_rule_arg(c, 0))
		dh_map_set(&c->run->channels, array_of(c->run, dh_rule_arg(c, 0)), 1);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_send(struct dh_rule_call *c)
{
	uint32_t event = event_of(c, dh_rule_arg(c, 0));

	dh_rule_touch(c);
	/* Who has sent already may be trying again. */
	if (!event || !dh_lockset_contains(c->run->sets, c->s->signalled, event))
		use(c, dh_rule_arg(c, 0), false);
	if (event) {
		c->s->concurrent = true;
		c->s->signalled = dh_lockset_add(c->run->sets, c->s->signalled, event);
		dh_scan_note_signal(c->run, event, c->f->thread);
	}
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_receive(struct dh_rule_call *c)
{
	uint32_t event = event_of(c, dh_rule_arg(c, 0));

	dh_rule_touch(c);
	use(c, dh_rule_arg(c, 0), false);
	if (event) {
		dh_rule_forget_shared(c);
		c->s->concurrent = true;
		c->s->waited = dh_lockset_add(c->run->sets, c->s->waited, event);
	}
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_closes(struct dh_rule_call *c)
{
	use(c, dh_rule_arg(c, 0), true);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}
