/* What the functions of the retargeting table do: one handler per verb.  Calls and ends are here,
 * the rest in the files that rule.h names. */
#include "scan/analysis/call.h"
#include "scan/analysis/rule.h"
#include "scan/analysis/value.h"

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
	if (c->rule->words & DH_SW_ALL)
		t->end_live = dh_lockset_union(c->run->sets, t->end_live, c->s->live);
	return DH_EXEC_END;
}

static enum dh_scan_outcome sets_jump(struct dh_rule_call *c)
{
	dh_scan_set_jump(c->run, c->f, c->it, c->stmt, dh_rule_arg(c, 0));
	dh_scan_set_result(c->run, c->f, c->s, c->stmt, dh_scan_const(c->run->p, 0));
	return DH_EXEC_NEXT;
}

static enum dh_scan_outcome jumps(struct dh_rule_call *c)
{
	dh_scan_begin_jump(c->run, c->s, dh_rule_arg(c, 0));
	dh_scan_jump(c->run, c->f, c->s, dh_rule_arg(c, 1));
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
	[DH_SV_CREATE] = dh_rule_create,
	[DH_SV_START] = dh_rule_start,
	[DH_SV_JOIN] = dh_rule_join,
	[DH_SV_SELF] = dh_rule_self,
	[DH_SV_DETACH] = dh_rule_init,
	[DH_SV_ONCE] = dh_rule_once,
	[DH_SV_HANDLER] = dh_rule_handler,
	[DH_SV_ASYNC] = dh_rule_create,
	[DH_SV_CALLS] = calls,
	[DH_SV_AT_EXIT] = dh_rule_at_exit,
	[DH_SV_ALLOC] = dh_rule_alloc,
	[DH_SV_FREE] = dh_rule_free,
	[DH_SV_EXITS] = exits,
	[DH_SV_SETS_JUMP] = sets_jump,
	[DH_SV_JUMPS] = jumps,
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
	[DH_SV_BENIGN] = dh_rule_benign,
	[DH_SV_TEAM] = dh_rule_team,
	[DH_SV_OWN] = dh_rule_own,
	[DH_SV_CHANNEL] = dh_rule_channel,
	[DH_SV_SEND] = dh_rule_send,
	[DH_SV_RECEIVE] = dh_rule_receive,
	[DH_SV_CLOSES] = dh_rule_closes,
	[DH_SV_SECTION] = dh_rule_section,
};

enum dh_scan_outcome dh_scan_apply(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, const struct dh_scan_rule *rule,
	const uint32_t *args, uint32_t n_args)
{
	struct dh_rule_call c = {run, f, it, &it->state, stmt, rule, args, n_args};

	return handlers[rule->verb] ? handlers[rule->verb](&c) : DH_EXEC_NEXT;
}
