/* Objects whose constructor takes locks and whose destructor gives them back, and functions that
 * take several at once. */
#include <string.h>

#include "scan/analysis/call.h"
#include "scan/analysis/rule.h"

uint32_t dh_rule_guard_cell(struct dh_scan_run *run, uint32_t object, unsigned n)
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

	dh_scan_state_set(c->s, dh_rule_guard_cell(c->run, object, 0), lock);
	dh_scan_state_copy(&got, c->s);
	dh_scan_lock_acquire(c->run, c->f, &got, c->stmt, lock, c->rule->words | DH_SW_BLOCK, true);
	dh_scan_fork(c->run, c->f, c->it, &got);
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_guard(struct dh_rule_call *c)
{
	const char *name = callee_name(c);
	bool defer = strstr(name, "defer_lock"), adopt = strstr(name, "adopt_lock");
	uint16_t words =
		c->rule->words | DH_SW_BLOCK | (strstr(name, "recursive") ? DH_SW_RECURSIVE : 0);
	uint32_t object = dh_rule_arg(c, 0), first = dh_rule_arg(c, 1);
	uint32_t moved = first ? dh_scan_state_get(c->s, dh_rule_guard_cell(c->run, first, 0)) : 0;

	if (moved) {
		dh_scan_state_set(c->s, dh_rule_guard_cell(c->run, object, 0), moved);
		dh_scan_state_forget(c->s, dh_rule_guard_cell(c->run, first, 0));
		return DH_EXEC_NEXT;
	}
	if (strstr(name, "try_to_lock"))
		return try_guard(c, object, first);
	for (unsigned n = 0; n + 1 < DH_SCAN_ARGS; n++) {
		uint32_t lock = dh_rule_arg(c, n + 1);

		if (!lock)
			continue;
		dh_scan_state_set(c->s, dh_rule_guard_cell(c->run, object, n), lock);
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
		uint32_t cell = dh_rule_guard_cell(c->run, dh_rule_arg(c, 0), n),
			 lock = dh_scan_state_get(c->s, cell);

		if (lock && dh_scan_lock_held(c->run, c->s, lock))
			dh_scan_lock_release(c->run, c->f, c->s, c->stmt, lock);
		if (forget)
			dh_scan_state_forget(c->s, cell);
	}
}

enum dh_scan_outcome dh_rule_unguard(struct dh_rule_call *c)
{
	release_guard(c, true);
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_unlock_guard(struct dh_rule_call *c)
{
	release_guard(c, false);
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_relock_guard(struct dh_rule_call *c)
{
	uint32_t lock = dh_scan_state_get(c->s, dh_rule_guard_cell(c->run, dh_rule_arg(c, 0), 0));

	dh_scan_lock_acquire(
		c->run, c->f, c->s, c->stmt, lock, c->rule->words | DH_SW_BLOCK, false);
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_owns_guard(struct dh_rule_call *c)
{
	uint32_t lock = dh_scan_state_get(c->s, dh_rule_guard_cell(c->run, dh_rule_arg(c, 0), 0));

	dh_scan_set_result(c->run, c->f, c->s, c->stmt,
		dh_scan_const(c->run->p, lock && dh_scan_lock_held(c->run, c->s, lock)));
	return DH_EXEC_NEXT;
}

enum dh_scan_outcome dh_rule_lock_all(struct dh_rule_call *c)
{
	for (unsigned n = 0; n < DH_SCAN_ARGS; n++)
		if (dh_rule_arg(c, n))
			dh_scan_lock_acquire(
				c->run, c->f, c->s, c->stmt, dh_rule_arg(c, n), DH_SW_BLOCK, true);
	return DH_EXEC_NEXT;
}
