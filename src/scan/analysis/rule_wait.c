/* What makes one thread wait for another: conditions, semaphores, barriers, once. */
#include "scan/analysis/call.h"
#include "scan/analysis/rule.h"
#include "scan/analysis/value.h"

/* A local variable that nobody was told of. */
static bool is_own_local(struct dh_rule_call *c, uint32_t addr)
{
	const struct dh_sym *y = dh_sym_of(&c->run->syms, dh_scan_base(c->run->p, addr));

	return y && y->kind == DH_SYM_FRAME && !y->escapes && dh_sym_is_placed(&c->run->syms, addr);
}

/* Whether others may have changed what the value was loaded from. */
static bool is_of_others(struct dh_rule_call *c, uint32_t node)
{
	struct dh_scan_node n = *dh_scan_node(c->run->p, node);

	switch (n.op) {
	case DH_SCAN_LOAD:
		return !is_own_local(c, n.a) && !dh_scan_is_stable(c->run, n.a, c->f->thread);
	case DH_SCAN_COMPARE:
	case DH_SCAN_BINARY:
		return is_of_others(c, n.a) || is_of_others(c, n.b);
	case DH_SCAN_CONST:
		return false;
	default:
		return dh_sym_kind(&c->run->syms, node) == DH_SYM_NONE;
	}
}

static bool is_shared_memory(void *p, uint32_t node)
{
	struct dh_rule_call *c = p;
	const struct dh_scan_program *prog = c->run->p;
	uint8_t op = dh_scan_node(prog, node)->op;

	if (dh_sym_kind(&c->run->syms, node) != DH_SYM_NONE)
		return false;
	if (op == DH_SCAN_LOAD || op == DH_SCAN_COMPARE || op == DH_SCAN_BINARY)
		return is_of_others(c, node);
	return dh_scan_node(prog, dh_scan_base(prog, node))->op == DH_SCAN_GLOBAL &&
	       !dh_scan_is_stable(c->run, node, c->f->thread);
}

void dh_rule_forget_shared(struct dh_rule_call *c)
{
	dh_scan_state_filter(c->s, is_shared_memory, c);
	dh_scan_forget_numbers(c->run, c->f, c->s);
}

/* What is waited for: an object, or what goes by a name because two objects stand for it. */
static uint32_t event_of(const struct dh_rule_call *c)
{
	return c->rule->lock ? dh_rule_named_lock(c->run, c->rule->lock) : dh_rule_arg(c, 0);
}

enum dh_scan_outcome dh_rule_wait(struct dh_rule_call *c)
{
	uint32_t cond = event_of(c), lock = dh_rule_arg(c, 1), held;

	if (c->rule->words & DH_SW_BYVALUE)
		lock = dh_scan_state_get(c->s, dh_rule_guard_cell(c->run, lock, 0));
	held = lock ? dh_scan_lock_held(c->run, c->s, lock) : 0;
	dh_scan_may_block(c->run, c->f, c->s, c->stmt, c->rule->name);
	if (held) {
		dh_scan_note_order(c->run, c->f, c->s, c->stmt, held, false, true);
		dh_scan_under_release(c->run, c->f, c->s, held);
	} else if (lock)
		dh_scan_note_mistake(c->run, c->f, c->s, DH_MISTAKE_WAIT, c->stmt,
			dh_scan_lock_get(c->run, lock, false, 0), 0);
	dh_rule_forget_shared(c);
	c->s->concurrent = true;
	if (cond)
		c->s->waited = dh_lockset_add(
			c->run->sets, c->s->waited, dh_sym_any_index(&c->run->syms, cond));
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

static void signals(struct dh_rule_call *c, uint32_t event)
{
	c->s->concurrent = true;
	if (!event)
		return;
	event = dh_sym_any_index(&c->run->syms, event);
	if (c->rule->words & DH_SW_ALL)
		dh_scan_usage_of(c->run, event)->all = true;
	c->s->signalled = dh_lockset_add(c->run->sets, c->s->signalled, event);
	dh_scan_note_signal(c->run, event, c->f->thread);
}

enum dh_scan_outcome dh_rule_signal(struct dh_rule_call *c)
{
	signals(c, event_of(c));
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

static bool is_lock(struct dh_rule_call *c, uint32_t sem)
{
	struct dh_scan_usage *u = dh_scan_usage_of(c->run, sem);

	return !u->decided || u->is_lock;
}

enum dh_scan_outcome dh_rule_sem_wait(struct dh_rule_call *c)
{
	uint32_t sem = dh_rule_arg(c, 0);

	c->s->concurrent = true;
	dh_scan_may_block(c->run, c->f, c->s, c->stmt, c->rule->name);
	if (sem && is_lock(c, sem)) {
		dh_scan_lock_acquire(
			c->run, c->f, c->s, c->stmt, sem, DH_SW_BLOCK | DH_SW_SEM, false);
	} else if (sem) {
		dh_rule_forget_shared(c);
		c->s->waited = dh_lockset_add(
			c->run->sets, c->s->waited, dh_sym_any_index(&c->run->syms, sem));
	}
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_sem_post(struct dh_rule_call *c)
{
	uint32_t sem = dh_rule_arg(c, 0);

	if (sem && is_lock(c, sem)) {
		if (dh_scan_lock_held(c->run, c->s, sem))
			dh_scan_lock_release(c->run, c->f, c->s, c->stmt, sem);
		else
			dh_scan_note_usage(c->run, c->f, c->stmt, sem, 0);
	}
	signals(c, sem);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_sem_init(struct dh_rule_call *c)
{
	int64_t value;

	if (dh_rule_arg(c, 0) && dh_scan_is_const(c->run->p, dh_rule_arg(c, 1), &value))
		dh_scan_usage_of(c->run, dh_rule_arg(c, 0))->initial = value;
	return dh_rule_init(c);
}

enum dh_scan_outcome dh_rule_barrier(struct dh_rule_call *c)
{
	uint32_t b = event_of(c);

	dh_rule_use_lock(c, b);
	signals(c, b);
	dh_rule_forget_shared(c);
	if (b)
		c->s->waited = dh_lockset_add(
			c->run->sets, c->s->waited, dh_sym_any_index(&c->run->syms, b));
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

static void end_section(struct dh_rule_call *c, struct dh_scan_state *s, uint32_t lock)
{
	uint32_t held = dh_scan_lock_held(c->run, s, lock);

	if (held) {
		s->locks = dh_lockset_remove(c->run->sets, s->locks, held);
		dh_scan_state_drop(s, held);
	}
}

static void end_once(
	struct dh_rule_call *c, struct dh_scan_state *s, uint32_t lock, uint32_t control)
{
	end_section(c, s, lock);
	s->waited = dh_lockset_add(c->run->sets, s->waited, control);
}

/* The function runs under a lock of its own; whoever comes behind has it behind him. */
enum dh_scan_outcome dh_rule_once(struct dh_rule_call *c)
{
	uint32_t control = dh_sym_any_index(&c->run->syms, dh_rule_arg(c, 0)), fns[4],
		 first = c->f->n_items;
	uint32_t lock = dh_sym_get(&c->run->syms, DH_SYM_NAMED, DH_NAMED_ONCE, control, 0);
	uint32_t n =
		dh_scan_functions(c->run, c->f, dh_rule_arg(c, 1), dh_rule_arg_node(c, 1), fns, 4);
	enum dh_scan_outcome o = DH_EXEC_NEXT;

	if (!control)
		return DH_EXEC_NEXT;
	dh_scan_lock_acquire(
		c->run, c->f, c->s, c->stmt, lock, DH_SW_NO_ORDER | DH_SW_RECURSIVE, false);
	c->it->shielded = true;
	if (n)
		o = dh_scan_call_function(c->run, c->f, c->it, c->stmt, fns[0], NULL, 0);
	c->it->shielded = false;
	if (o == DH_EXEC_WAIT)
		return o;
	for (uint32_t i = first; i < c->f->n_items; i++)
		end_once(c, &c->f->items[i].state, lock, control);
	end_once(c, c->s, lock, control);
	return o;
}

enum dh_scan_outcome dh_rule_section(struct dh_rule_call *c)
{
	uint32_t callee = dh_scan_callee(c->run->p, &c->f->body->stmts[c->stmt]),
		 first = c->f->n_items;
	uint32_t lock = c->rule->lock ? dh_rule_named_lock(c->run, c->rule->lock) : 0;
	enum dh_scan_outcome o;

	if (!callee || !lock)
		return DH_EXEC_NEXT;
	dh_scan_lock_acquire(
		c->run, c->f, c->s, c->stmt, lock, DH_SW_NO_ORDER | DH_SW_RECURSIVE, false);
	c->it->shielded = true;
	o = dh_scan_call_function(c->run, c->f, c->it, c->stmt, callee, c->args, c->n_args);
	c->it->shielded = false;
	if (o == DH_EXEC_WAIT)
		return o;
	for (uint32_t i = first; i < c->f->n_items; i++)
		end_section(c, &c->f->items[i].state, lock);
	end_section(c, c->s, lock);
	return o;
}
