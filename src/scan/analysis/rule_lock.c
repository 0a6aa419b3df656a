/* What functions of the table do to locks, and to signals that are kept away. */
#include "scan/analysis/call.h"
#include "scan/analysis/rule.h"
#include "scan/analysis/value.h"

uint32_t dh_rule_named_lock(struct dh_scan_run *run, const char *name)
{
	return dh_sym_get(&run->syms, DH_SYM_NAMED, DH_NAMED_LOCK, 0, dh_scan_str(run->p, name));
}

static uint32_t lock_of(const struct dh_rule_call *c)
{
	return c->rule->lock ? dh_rule_named_lock(c->run, c->rule->lock) : dh_rule_arg(c, 0);
}

static void side_locks(const struct dh_rule_call *c)
{
	uint16_t w = c->rule->words;
	const uint16_t off = DH_SW_NO_ORDER | DH_SW_RECURSIVE;

	if (w & DH_SW_IRQ_OFF)
		dh_scan_lock_acquire(c->run, c->f, c->s, c->stmt,
			dh_rule_named_lock(c->run, "interrupts off"), off, false);
	if (w & DH_SW_BH_OFF)
		dh_scan_lock_acquire(c->run, c->f, c->s, c->stmt,
			dh_rule_named_lock(c->run, "soft interrupts off"), off, false);
}

static void drop_named(const struct dh_rule_call *c, const char *name)
{
	uint32_t node = dh_rule_named_lock(c->run, name);

	if (dh_scan_lock_held(c->run, c->s, node))
		dh_scan_lock_release(c->run, c->f, c->s, c->stmt, node);
}

/* A place that no member has: the lock itself, as memory that its making and its end write. */
#define LOCK_ITSELF 0x700000

/* Locks that are made or destroyed while others run: whoever uses them must come behind or before.
 * Where there are many, which one is meant would be a guess. */
static void touch_lock(const struct dh_rule_call *c, uint32_t node, bool makes)
{
	bool alone = c->run->threads[c->f->thread].kind == DH_THREAD_MAIN &&
		     c->s->live == DH_LOCKSET_EMPTY;

	if (!node || c->run->kernel || c->rule->lock || !dh_sym_is_placed(&c->run->syms, node))
		return;
	if (makes && !alone)
		dh_map_set(&c->run->unsettled, node, 1);
	if (dh_map_get(&c->run->unsettled, node, NULL) &&
		dh_scan_lock_is_unique(c->run, dh_scan_lock_get(c->run, node, false, 0)))
		dh_scan_touch(c->run, c->f, c->s, c->stmt,
			dh_scan_offset(c->run->p, node, LOCK_ITSELF), 8,
			makes ? DH_SA_WRITE : DH_SA_ATOMIC);
}

void dh_rule_use_lock(const struct dh_rule_call *c, uint32_t node)
{
	touch_lock(c, node, false);
}

/* How the lock is taken or given back: some functions are told by an argument. */
static uint16_t words_of(const struct dh_rule_call *c)
{
	uint8_t no = c->rule->exclusive;
	int64_t v;

	if (!no || no > c->n_args || !dh_scan_is_const(c->run->p, c->args[no - 1], &v))
		return c->rule->words;
	return v ? c->rule->words : c->rule->words | DH_SW_READ;
}

enum dh_scan_outcome dh_rule_acquire(struct dh_rule_call *c)
{
	side_locks(c);
	if (c->rule->words & DH_SW_BLOCK)
		dh_scan_may_block(c->run, c->f, c->s, c->stmt, c->rule->name);
	touch_lock(c, lock_of(c), false);
	dh_scan_lock_acquire(c->run, c->f, c->s, c->stmt, lock_of(c), words_of(c), false);
	/* Success, in a result that programs check. */
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_release(struct dh_rule_call *c)
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
	bool is_zero = c->rule->success_nonzero ? !success
		       : success                ? c->rule->success == 0
						: c->rule->success && !c->rule->failure;

	dh_scan_state_forget(s, cell);
	if (is_zero)
		dh_scan_state_set(s, cell, dh_scan_const(c->run->p, 0));
	else if (success && !c->rule->success_nonzero)
		dh_scan_state_set(s, cell, dh_scan_const(c->run->p, c->rule->success));
	else if (!success && c->rule->failure)
		dh_scan_state_set(s, cell, dh_scan_const(c->run->p, c->rule->failure));
	dh_scan_state_note(s, cell, is_zero ? zero : other);
}

enum dh_scan_outcome dh_rule_try(struct dh_rule_call *c)
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
	dh_scan_fork(c->run, c->f, c->it, &got);
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_destroy(struct dh_rule_call *c)
{
	uint32_t held = dh_scan_lock_held(c->run, c->s, dh_rule_arg(c, 0));

	touch_lock(c, dh_rule_arg(c, 0), true);
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

/* ... and whether it survives its owner. */
static uint32_t robust_cell(struct dh_scan_run *run, uint32_t object)
{
	return object ? dh_scan_offset(run->p, object, 0x500008) : 0;
}

enum dh_scan_outcome dh_rule_lock_type(struct dh_rule_call *c)
{
	bool robust = c->rule->words & DH_SW_ADOPT;
	uint32_t attributes = dh_rule_arg(c, 0);

	if (attributes)
		dh_scan_state_set(c->s,
			robust ? robust_cell(c->run, attributes) : type_cell(c->run, attributes),
			dh_rule_arg(c, 1));
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_init(struct dh_rule_call *c)
{
	uint32_t lock = dh_rule_arg(c, 0),
		 type = dh_scan_state_get(c->s, type_cell(c->run, dh_rule_arg(c, 1)));
	uint32_t robust = dh_scan_state_get(c->s, robust_cell(c->run, dh_rule_arg(c, 1)));
	int64_t v = 0;

	if (c->rule->verb == DH_SV_INIT)
		touch_lock(c, lock, true);
	if (lock && dh_scan_is_const(c->run->p, robust, &v) && v)
		dh_map_set(&c->run->robust, lock, 1);
	v = 0;
	if (lock && c->rule->n_args > 1 &&
		(dh_scan_is_const(c->run->p, type, &v) ||
			dh_scan_is_const(c->run->p, dh_rule_arg(c, 1), &v)) &&
		v & 1)
		dh_map_set(&c->run->recursive, dh_sym_any_index(&c->run->syms, lock), 1);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_held(struct dh_rule_call *c)
{
	uint32_t lock = lock_of(c);

	if (lock && !dh_scan_lock_held(c->run, c->s, lock))
		dh_scan_note_mistake(c->run, c->f, c->s, DH_MISTAKE_ASSERTION, c->stmt,
			dh_scan_lock_get(c->run, lock, false, 0), 0);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, 0);
	return DH_EXEC_NEXT;
}

/* Signals are blocked: no handler comes in between. */
enum dh_scan_outcome dh_rule_mask(struct dh_rule_call *c)
{
	int64_t how = 1;

	dh_scan_is_const(c->run->p, dh_rule_arg(c, 0), &how);
	if (how == 0)
		dh_scan_lock_acquire(c->run, c->f, c->s, c->stmt,
			dh_rule_named_lock(c->run, DH_SIGNALS_BLOCKED),
			DH_SW_NO_ORDER | DH_SW_RECURSIVE, false);
	else
		drop_named(c, DH_SIGNALS_BLOCKED);
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}
