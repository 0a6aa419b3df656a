/* Enforcer: makes a live process tree follow an execution branch (branch.h), as the gate of the
 * recorder that runs it (record/gate.h).
 *
 * Live tasks are matched with recorded ones by their place in the tree, live calls with recorded
 * ones by number and key.  Up to the cut a call waits for those that the branch lists; the anchors
 * then run in their new order, and from there on everything is free: the execution is live.
 * A task that does something else before that is a divergence, which ends the execution.
 *
 * Without a branch nothing is held: the enforcer only watches which processes there are and how
 * they end.  One thread.  Borrows history and branch. */
#pragma once
#include "explore/outcome.h"
#include "record/gate.h"

struct dh_branch;
struct dh_enforcer;
struct dh_history;

struct dh_enforcer_options {
	const struct dh_history *history; /* NULL only without a branch */
	const struct dh_branch *branch;   /* NULL: watch */
	double timeout;                   /* seconds for the whole execution; 0: none */
	double grace; /* seconds that others may go on when the first process has ended */
	/* The first process is there, but has executed nothing yet; may be NULL. */
	void (*begun)(void *cookie);
	/* The errno that a call is answered with, or 0; may be NULL. */
	int (*refuse)(void *cookie, const struct dh_gate_call *c);
	/* Asked to let the next process have this number; may be NULL. */
	void (*next_pid)(void *cookie, pid_t pid);
	/* Now everything is free: at the start without a branch, or behind the anchors.  Something
	 * beside the program runs from there on, which may wake it up.  May be NULL. */
	void (*went_live)(void *cookie);
	void *cookie;
};

struct dh_enforcer *dh_enforcer_new(const struct dh_enforcer_options *opt);
void dh_enforcer_free(struct dh_enforcer *e);
struct dh_gate dh_enforcer_gate(struct dh_enforcer *e);

/* What it came to: end, flipped, diverged_at, why, seconds.  The recorder's error decides the rest.
 */
void dh_enforcer_result(const struct dh_enforcer *e, struct dh_outcome *ret);
/* The processes so far, in the order in which they appeared; borrowed. */
const struct dh_outcome_process *dh_enforcer_processes(const struct dh_enforcer *e, size_t *ret_n);
