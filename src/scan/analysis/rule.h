/* Between the files that say what the functions of the retargeting table do: rule.c has the table
 * of handlers, rule_thread.c the threads, rule_lock.c the locks, rule_guard.c C++ guards,
 * rule_wait.c what makes one wait for another, rule_effect.c the memory, rule_fd.c descriptors,
 * startup.c what a program registers for its end. */
#pragma once
#include "scan/analysis/run.h"

/* Everything a handler needs. */
struct dh_rule_call {
	struct dh_scan_run *run;
	struct dh_scan_frame *f;
	struct dh_scan_item *it;
	struct dh_scan_state *s; /* of it */
	uint32_t stmt;
	const struct dh_scan_rule *rule;
	const uint32_t *args;
	uint32_t n_args;
};

/* The n-th argument that the rule names, or 0. */
static inline uint32_t dh_rule_arg(const struct dh_rule_call *c, unsigned n)
{
	uint8_t no = n < c->rule->n_args ? c->rule->arg[n] : 0;

	return no && no <= c->n_args ? c->args[no - 1] : 0;
}

static inline uint32_t dh_rule_arg_node(const struct dh_rule_call *c, unsigned n)
{
	uint8_t no = n < c->rule->n_args ? c->rule->arg[n] : 0;

	return no && no <= c->n_args ? dh_scan_args(c->f->body, &c->f->body->stmts[c->stmt])[no - 1]
				     : 0;
}

/* rule_thread.c */
enum dh_scan_outcome dh_rule_create(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_join(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_self(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_handler(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_start(struct dh_rule_call *c);

/* failing.c */
/* Whether the function asks whether the call has failed, and does not come back here then. */
bool dh_rule_may_fail(const struct dh_rule_call *c);
/* The path goes on behind the call, which has failed.  Takes the state over. */
void dh_rule_fail(struct dh_rule_call *c, struct dh_scan_state *s);

/* rule_lock.c */
/* A lock that has a name instead of an address: one for the whole program. */
/* A lock or a barrier is used: not while somebody makes or destroys it. */
void dh_rule_use_lock(const struct dh_rule_call *c, uint32_t node);
uint32_t dh_rule_named_lock(struct dh_scan_run *run, const char *name);
enum dh_scan_outcome dh_rule_acquire(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_release(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_try(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_init(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_destroy(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_lock_type(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_held(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_mask(struct dh_rule_call *c);

/* rule_guard.c */
/* Where a guard object keeps its n-th lock: a place that no member has. */
uint32_t dh_rule_guard_cell(struct dh_scan_run *run, uint32_t object, unsigned n);
enum dh_scan_outcome dh_rule_guard(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_unguard(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_unlock_guard(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_relock_guard(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_owns_guard(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_lock_all(struct dh_rule_call *c);

/* rule_wait.c */
/* Others ran: what variables that they see contain is not known any more. */
void dh_rule_forget_shared(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_wait(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_signal(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_sem_wait(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_sem_post(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_sem_init(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_barrier(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_once(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_section(struct dh_rule_call *c);

/* rule_fd.c */
enum dh_scan_outcome dh_rule_channel(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_send(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_receive(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_closes(struct dh_rule_call *c);

/* rule_team.c */
enum dh_scan_outcome dh_rule_team(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_own(struct dh_rule_call *c);

/* startup.c */
enum dh_scan_outcome dh_rule_at_exit(struct dh_rule_call *c);

/* rule_effect.c */
enum dh_scan_outcome dh_rule_alloc(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_free(struct dh_rule_call *c);
/* What the rule says that is read and written through the arguments. */
void dh_rule_touch(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_effect(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_atomic(struct dh_rule_call *c);
enum dh_scan_outcome dh_rule_benign(struct dh_rule_call *c);
