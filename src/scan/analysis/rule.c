/* What the functions of the retargeting table do: one handler per verb. */
#include <stdlib.h>
#include <string.h>

#include "scan/analysis/rule.h"

static uint32_t named_lock(struct dh_scan_run *run, const char *name)
{
	return dh_sym_get(&run->syms, DH_SYM_NAMED, 0, 0, dh_scan_str(run->p, name));
}

static uint32_t lock_of(const struct dh_rule_call *c)
{
	return c->rule->lock ? named_lock(c->run, c->rule->lock) : dh_rule_arg(c, 0);
}

static void side_locks(const struct dh_rule_call *c)
{
	uint16_t w = c->rule->words;
	const uint16_t off = DH_SW_NO_ORDER | DH_SW_RECURSIVE;

	if (w & DH_SW_IRQ_OFF)
		dh_scan_lock_acquire(c->run, c->f, c->s, c->stmt,
			named_lock(c->run, "interrupts off"), off, false);
	if (w & DH_SW_BH_OFF)
		dh_scan_lock_acquire(c->run, c->f, c->s, c->stmt,
			named_lock(c->run, "soft interrupts off"), off, false);
}

static void drop_named(const struct dh_rule_call *c, const char *name)
{
	uint32_t node = named_lock(c->run, name);

	if (dh_scan_lock_held(c->run, c->s, node))
		dh_scan_lock_release(c->run, c->f, c->s, c->stmt, node);
}

static enum dh_scan_outcome acquire(struct dh_rule_call *c)
{
	side_locks(c);
	if (c->rule->words & DH_SW_BLOCK)
		dh_scan_may_block(c->run, c->f, c->s, c->stmt, c->rule->name);
	dh_scan_lock_acquire(c->run, c->f, c->s, c->stmt, lock_of(c), c->rule->words, false);
	/* Success, in a result that programs check. */
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome release(struct dh_rule_call *c)
{
	dh_scan_lock_release(c->run, c->f, c->s, c->stmt, lock_of(c));
	if (c->rule->words & DH_SW_IRQ_ON)
		drop_named(c, "interrupts off");
	if (c->rule->words & DH_SW_BH_ON)
		drop_named(c, "soft interrupts off");
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

/* The result of one outcome of a try function. */
static void try_result(const struct dh_rule_call *c, struct dh_scan_state *s, bool success)
{
	static const struct dh_scan_range zero = {0, 0, false},
					  other = {INT64_MIN, INT64_MAX, true};
	uint32_t cell = dh_scan_make(c->run, c->f, s, c->stmt, DH_SYM_RESULT);
	bool is_zero = c->rule->success_nonzero ? !success : success && c->rule->success == 0;

	dh_scan_state_forget(s, cell);
	if (is_zero)
		dh_scan_state_set(s, cell, dh_scan_const(c->run->p, 0));
	else if (!success && c->rule->failure)
		dh_scan_state_set(s, cell, dh_scan_const(c->run->p, c->rule->failure));
	dh_scan_state_note(s, cell, is_zero ? zero : other);
}

static enum dh_scan_outcome try_lock(struct dh_rule_call *c)
{
	struct dh_scan_state got;
	uint32_t lock = lock_of(c);

	if (dh_scan_lock_held(c->run, c->s, lock) && !(c->rule->words & DH_SW_RECURSIVE)) {
		try_result(c, c->s, false);
		return DH_EXEC_NEXT;
	}
	dh_scan_state_copy(&got, c->s);
	c->s->concurrent = true;
	try_result(c, c->s, false);
	try_result(c, &got, true);
	struct dh_rule_call success = *c;

	success.s = &got;
	side_locks(&success);
	dh_scan_lock_acquire(c->run, c->f, &got, c->stmt, lock, c->rule->words, true);
	dh_scan_fork(c->f, c->it, &got);
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome destroy(struct dh_rule_call *c)
{
	uint32_t held = dh_scan_lock_held(c->run, c->s, dh_rule_arg(c, 0));

	if (held && dh_scan_lock_is_unique(c->run, held))
		dh_scan_note_mistake(c->run, c->f, c->s, DH_MISTAKE_DESTROYED, c->stmt, held, 0);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

/* Where an attribute object keeps the type of lock: a place that no member has. */
static uint32_t type_cell(struct dh_scan_run *run, uint32_t object)
{
	return object ? dh_scan_offset(run->p, object, 0x500000) : 0;
}

static enum dh_scan_outcome lock_type(struct dh_rule_call *c)
{
	if (dh_rule_arg(c, 0))
		dh_scan_state_set(c->s, type_cell(c->run, dh_rule_arg(c, 0)), dh_rule_arg(c, 1));
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome init(struct dh_rule_call *c)
{
	uint32_t lock = dh_rule_arg(c, 0),
		 type = dh_scan_state_get(c->s, type_cell(c->run, dh_rule_arg(c, 1)));
	int64_t v = 0;

	if (lock && c->rule->n_args > 1 &&
		(dh_scan_is_const(c->run->p, type, &v) ||
			dh_scan_is_const(c->run->p, dh_rule_arg(c, 1), &v)) &&
		v & 1)
		dh_map_set(&c->run->recursive, dh_sym_any_index(&c->run->syms, lock), 1);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome held(struct dh_rule_call *c)
{
	uint32_t lock = lock_of(c);

	if (lock && !dh_scan_lock_held(c->run, c->s, lock))
		dh_scan_note_mistake(c->run, c->f, c->s, DH_MISTAKE_ASSERTION, c->stmt,
			dh_scan_lock_get(c->run, lock, false, 0), 0);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

/* Where a guard object keeps its n-th lock: a place that no member has. */
static uint32_t guard_cell(struct dh_scan_run *run, uint32_t object, unsigned n)
{
	return dh_scan_offset(run->p, object, 0x400000 + 8 * n);
}

static const char *callee_name(const struct dh_rule_call *c)
{
	uint32_t callee = dh_scan_callee(c->run->p, &c->f->body->stmts[c->stmt]);

	return callee ? dh_scan_text(c->run->p, c->run->p->symbols[callee].name) : "";
}

static enum dh_scan_outcome try_guard(struct dh_rule_call *c, uint32_t object, uint32_t lock)
{
	struct dh_scan_state got;

	dh_scan_state_set(c->s, guard_cell(c->run, object, 0), lock);
	dh_scan_state_copy(&got, c->s);
	dh_scan_lock_acquire(c->run, c->f, &got, c->stmt, lock, c->rule->words | DH_SW_BLOCK, true);
	dh_scan_fork(c->f, c->it, &got);
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome guard(struct dh_rule_call *c)
{
	const char *name = callee_name(c);
	bool defer = strstr(name, "defer_lock"), adopt = strstr(name, "adopt_lock");
	uint16_t words =
		c->rule->words | DH_SW_BLOCK | (strstr(name, "recursive") ? DH_SW_RECURSIVE : 0);
	uint32_t object = dh_rule_arg(c, 0), first = dh_rule_arg(c, 1);
	uint32_t moved = first ? dh_scan_state_get(c->s, guard_cell(c->run, first, 0)) : 0;

	if (moved) {
		dh_scan_state_set(c->s, guard_cell(c->run, object, 0), moved);
		dh_scan_state_forget(c->s, guard_cell(c->run, first, 0));
		return DH_EXEC_NEXT;
	}
	if (strstr(name, "try_to_lock"))
		return try_guard(c, object, first);
	for (unsigned n = 0; n + 1 < DH_SCAN_ARGS; n++) {
		uint32_t lock = dh_rule_arg(c, n + 1);

		if (!lock)
			continue;
		dh_scan_state_set(c->s, guard_cell(c->run, object, n), lock);
		/* Several at once: the library avoids deadlocks by trying. */
		if (!defer && !adopt)
			dh_scan_lock_acquire(
				c->run, c->f, c->s, c->stmt, lock, words, dh_rule_arg(c, 2) != 0);
	}
	return DH_EXEC_NEXT;
}

static void release_guard(struct dh_rule_call *c, bool forget)
{
	for (unsigned n = 0; n + 1 < DH_SCAN_ARGS; n++) {
		uint32_t cell = guard_cell(c->run, dh_rule_arg(c, 0), n),
			 lock = dh_scan_state_get(c->s, cell);

		if (lock && dh_scan_lock_held(c->run, c->s, lock))
			dh_scan_lock_release(c->run, c->f, c->s, c->stmt, lock);
		if (forget)
			dh_scan_state_forget(c->s, cell);
	}
}

static enum dh_scan_outcome unguard(struct dh_rule_call *c)
{
	release_guard(c, true);
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome unlock_guard(struct dh_rule_call *c)
{
	release_guard(c, false);
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome relock_guard(struct dh_rule_call *c)
{
	uint32_t lock = dh_scan_state_get(c->s, guard_cell(c->run, dh_rule_arg(c, 0), 0));

	dh_scan_lock_acquire(
		c->run, c->f, c->s, c->stmt, lock, c->rule->words | DH_SW_BLOCK, false);
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome owns_guard(struct dh_rule_call *c)
{
	uint32_t lock = dh_scan_state_get(c->s, guard_cell(c->run, dh_rule_arg(c, 0), 0));

	dh_scan_set_result(c->run, c->f, c->s, c->stmt,
		dh_scan_const(c->run->p, lock && dh_scan_lock_held(c->run, c->s, lock)));
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome lock_all(struct dh_rule_call *c)
{
	for (unsigned n = 0; n < DH_SCAN_ARGS; n++)
		if (dh_rule_arg(c, n))
			dh_scan_lock_acquire(
				c->run, c->f, c->s, c->stmt, dh_rule_arg(c, n), DH_SW_BLOCK, true);
	return DH_EXEC_NEXT;
}

/* Signals are blocked: no handler comes in between. */
static enum dh_scan_outcome mask(struct dh_rule_call *c)
{
	int64_t how = 1;

	dh_scan_is_const(c->run->p, dh_rule_arg(c, 0), &how);
	if (how == 0)
		dh_scan_lock_acquire(c->run, c->f, c->s, c->stmt,
			named_lock(c->run, DH_SIGNALS_BLOCKED), DH_SW_NO_ORDER | DH_SW_RECURSIVE,
			false);
	else
		drop_named(c, DH_SIGNALS_BLOCKED);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

static bool is_shared_memory(void *p, uint32_t node)
{
	const struct dh_scan_run *run = p;
	uint32_t base = dh_scan_base(run->p, node);
	const struct dh_scan_node *n = dh_scan_node(run->p, node);

	return (n->op == DH_SCAN_LOAD || n->op == DH_SCAN_COMPARE || n->op == DH_SCAN_BINARY ||
		       dh_scan_node(run->p, base)->op == DH_SCAN_GLOBAL) &&
	       dh_sym_kind(&run->syms, node) == DH_SYM_NONE;
}

/* Others ran: what variables that they see contain is not known any more. */
static void forget_shared(struct dh_rule_call *c)
{
	dh_scan_state_filter(c->s, is_shared_memory, c->run);
}

static enum dh_scan_outcome wait_condition(struct dh_rule_call *c)
{
	uint32_t cond = dh_rule_arg(c, 0), lock = dh_rule_arg(c, 1), held;

	if (c->rule->words & DH_SW_BYVALUE)
		lock = dh_scan_state_get(c->s, guard_cell(c->run, lock, 0));
	held = lock ? dh_scan_lock_held(c->run, c->s, lock) : 0;
	dh_scan_may_block(c->run, c->f, c->s, c->stmt, c->rule->name);
	if (held)
		dh_scan_note_order(c->run, c->f, c->s, c->stmt, held, false, true);
	else if (lock)
		dh_scan_note_mistake(c->run, c->f, c->s, DH_MISTAKE_WAIT, c->stmt,
			dh_scan_lock_get(c->run, lock, false, 0), 0);
	forget_shared(c);
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
	c->s->signalled = dh_lockset_add(c->run->sets, c->s->signalled, event);
	dh_scan_note_signal(c->run, event, c->f->thread);
}

static enum dh_scan_outcome signal_condition(struct dh_rule_call *c)
{
	signals(c, dh_rule_arg(c, 0));
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

static bool is_lock(struct dh_rule_call *c, uint32_t sem)
{
	struct dh_scan_usage *u = dh_scan_usage_of(c->run, sem);

	return !u->decided || u->is_lock;
}

static enum dh_scan_outcome sem_wait(struct dh_rule_call *c)
{
	uint32_t sem = dh_rule_arg(c, 0);

	c->s->concurrent = true;
	dh_scan_may_block(c->run, c->f, c->s, c->stmt, c->rule->name);
	if (sem && is_lock(c, sem)) {
		dh_scan_lock_acquire(
			c->run, c->f, c->s, c->stmt, sem, DH_SW_BLOCK | DH_SW_SEM, false);
	} else if (sem) {
		forget_shared(c);
		c->s->waited = dh_lockset_add(
			c->run->sets, c->s->waited, dh_sym_any_index(&c->run->syms, sem));
	}
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome sem_post(struct dh_rule_call *c)
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

static enum dh_scan_outcome sem_init(struct dh_rule_call *c)
{
	int64_t value;

	if (dh_rule_arg(c, 0) && dh_scan_is_const(c->run->p, dh_rule_arg(c, 1), &value))
		dh_scan_usage_of(c->run, dh_rule_arg(c, 0))->initial = value;
	return init(c);
}

static enum dh_scan_outcome barrier(struct dh_rule_call *c)
{
	uint32_t b = dh_rule_arg(c, 0);

	signals(c, b);
	forget_shared(c);
	if (b)
		c->s->waited = dh_lockset_add(
			c->run->sets, c->s->waited, dh_sym_any_index(&c->run->syms, b));
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome create(struct dh_rule_call *c)
{
	enum dh_scan_thread_kind kind =
		c->rule->verb == DH_SV_ASYNC ? DH_THREAD_ASYNC : DH_THREAD_NORMAL;
	uint32_t starts[8];
	uint32_t n = dh_scan_functions(
		c->run, c->f, dh_rule_arg(c, 0), dh_rule_arg_node(c, 0), starts, 8);

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
	bool indexed = from == DH_SCAN_INDEX || from == DH_SCAN_FIELD || from == DH_SCAN_LOAD;

	if (cell)
		id = dh_scan_load_value(c->run, c->s, guard_cell(c->run, cell, 0));
	forget_shared(c);
	dh_scan_join(c->run, c->f, c->s, c->it->node, id, indexed);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

static void end_once(
	struct dh_rule_call *c, struct dh_scan_state *s, uint32_t lock, uint32_t control)
{
	uint32_t held = dh_scan_lock_held(c->run, s, lock);

	if (held) {
		s->locks = dh_lockset_remove(c->run->sets, s->locks, held);
		dh_scan_state_drop(s, held);
	}
	s->waited = dh_lockset_add(c->run->sets, s->waited, control);
}

/* The function runs under a lock of its own; whoever comes behind has it behind him. */
static enum dh_scan_outcome once(struct dh_rule_call *c)
{
	uint32_t control = dh_sym_any_index(&c->run->syms, dh_rule_arg(c, 0)), fns[4],
		 first = c->f->n_items;
	uint32_t lock = dh_sym_get(&c->run->syms, DH_SYM_NAMED, 1, control, 0);
	uint32_t n =
		dh_scan_functions(c->run, c->f, dh_rule_arg(c, 1), dh_rule_arg_node(c, 1), fns, 4);
	enum dh_scan_outcome o = DH_EXEC_NEXT;

	if (!control)
		return DH_EXEC_NEXT;
	dh_scan_lock_acquire(
		c->run, c->f, c->s, c->stmt, lock, DH_SW_NO_ORDER | DH_SW_RECURSIVE, false);
	if (n)
		o = dh_scan_call_function(c->run, c->f, c->it, c->stmt, fns[0], NULL, 0);
	if (o == DH_EXEC_WAIT)
		return o;
	for (uint32_t i = first; i < c->f->n_items; i++)
		end_once(c, &c->f->items[i].state, lock, control);
	end_once(c, c->s, lock, control);
	return o;
}

static enum dh_scan_outcome handler(struct dh_rule_call *c)
{
	uint32_t fns[4], value = dh_rule_arg(c, 0), n;

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
	}
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome calls(struct dh_rule_call *c)
{
	uint32_t fns[4], value = dh_rule_arg(c, 1);
	uint32_t n =
		dh_scan_functions(c->run, c->f, dh_rule_arg(c, 0), dh_rule_arg_node(c, 0), fns, 4);

	if (n != 1) {
		dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
		return DH_EXEC_NEXT;
	}
	return dh_scan_call_function(c->run, c->f, c->it, c->stmt, fns[0], &value, value ? 1 : 0);
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

static enum dh_scan_outcome start(struct dh_rule_call *c)
{
	return dh_scan_start_object(c->run, c->f, c->it, c->stmt, dh_rule_arg(c, 0),
		dh_rule_arg(c, 1), guard_cell(c->run, dh_rule_arg(c, 0), 0));
}

static enum dh_scan_outcome (*const handlers[DH_SV_COUNT])(struct dh_rule_call *c) = {
	[DH_SV_ACQUIRE] = acquire,
	[DH_SV_RELEASE] = release,
	[DH_SV_TRY] = try_lock,
	[DH_SV_INIT] = init,
	[DH_SV_DESTROY] = destroy,
	[DH_SV_HELD] = held,
	[DH_SV_GUARD] = guard,
	[DH_SV_UNGUARD] = unguard,
	[DH_SV_RELOCK] = relock_guard,
	[DH_SV_UNLOCK] = unlock_guard,
	[DH_SV_WAIT] = wait_condition,
	[DH_SV_SIGNAL] = signal_condition,
	[DH_SV_SEM_WAIT] = sem_wait,
	[DH_SV_SEM_TRY] = try_lock,
	[DH_SV_SEM_POST] = sem_post,
	[DH_SV_SEM_INIT] = sem_init,
	[DH_SV_BARRIER] = barrier,
	[DH_SV_CREATE] = create,
	[DH_SV_START] = start,
	[DH_SV_JOIN] = join,
	[DH_SV_DETACH] = init,
	[DH_SV_ONCE] = once,
	[DH_SV_HANDLER] = handler,
	[DH_SV_ASYNC] = create,
	[DH_SV_CALLS] = calls,
	[DH_SV_ALLOC] = dh_rule_alloc,
	[DH_SV_FREE] = dh_rule_free,
	[DH_SV_EXITS] = exits,
	[DH_SV_BLOCKS] = blocks,
	[DH_SV_ATOMIC] = dh_rule_atomic,
	[DH_SV_EFFECT] = dh_rule_effect,
	[DH_SV_LOCK_TYPE] = lock_type,
	[DH_SV_MASK] = mask,
	[DH_SV_ALL] = lock_all,
	[DH_SV_OWNS] = owns_guard,
};

enum dh_scan_outcome dh_scan_apply(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, const struct dh_scan_rule *rule,
	const uint32_t *args, uint32_t n_args)
{
	struct dh_rule_call c = {run, f, it, &it->state, stmt, rule, args, n_args};

	return handlers[rule->verb] ? handlers[rule->verb](&c) : DH_EXEC_NEXT;
}
