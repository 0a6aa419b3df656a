/* The partial order of a recorded execution: which calls had to happen before which (RacePro,
 * section 5.1), by vector clocks; and, beside it, in which order calls that conflict did happen.
 *
 * Calls are numbered from 0 in the order in which they took effect; each belongs to a task and has
 * an index among that task's calls.  Edges are inherent ones only: what the semantics of the calls
 * make inevitable.  Conflicts do not order anything here: they are what a branch keeps in place, or
 * turns around.
 *
 * A clock says for each task how many of its calls happened before.  It is kept once for all calls
 * of a task between two of its joins, since only the task's own component grows in between.
 * Pure: tests feed it by hand.  One thread at a time. */
#pragma once
#include "base/forward.h"

#define DH_NO_CALL UINT32_MAX

struct dh_porder_call {
	uint32_t task, index;
	uint32_t clock;             /* of what others did; the own component is index + 1 */
	uint32_t begun;             /* the same when it began: without what it has waited for */
	uint32_t first_dep, n_deps; /* in deps */
};

struct dh_porder_clock {
	size_t at;  /* in words */
	uint32_t n; /* components; all behind are 0 */
};

/* A call has struck a task: a signal came, before the call of that index or inside it. */
struct dh_porder_strike {
	uint32_t sender;
	uint32_t task, index;
	uint32_t reached; /* calls of the task that were over when the sender was */
	bool inside;
};

struct dh_porder {
	struct dh_porder_call *calls;
	size_t n_calls, cap_calls;
	struct dh_porder_clock *clocks;
	size_t n_clocks, cap_clocks;
	uint32_t *words;
	size_t n_words, cap_words;
	uint32_t *deps;
	size_t n_deps, cap_deps;
	struct dh_porder_strike *strikes;
	size_t n_strikes, cap_strikes;
	struct {
		uint32_t clock;
		uint32_t *calls; /* by index */
		uint32_t n, cap;
	} * tasks;
	uint32_t n_tasks, cap_tasks;
};

void dh_porder_init(struct dh_porder *o);
void dh_porder_release(struct dh_porder *o);

/* The next call of task, which inherently comes after the task's last one and after the n calls
 * listed (of any task, repetitions allowed).  Its number. */
uint32_t dh_porder_add(struct dh_porder *o, uint32_t task, const uint32_t *after, size_t n);

/* The task makes its next call only behind this one, which has made the task, or has ended what it
 * had to wait for in between. */
void dh_porder_learn(struct dh_porder *o, uint32_t task, uint32_t call);

/* The last call has followed an earlier one with which it conflicts: whoever runs the execution
 * again in the same order lets it wait for that one. */
void dh_porder_add_dep(struct dh_porder *o, uint32_t earlier);
/* The same for what it inherently follows because it has seen it: made again, the call would not
 * wait for that by itself. */
void dh_porder_add_seen(struct dh_porder *o, uint32_t earlier);

/* Whoever runs the execution again lets the sender strike where it did.  Once all calls are there.
 */
void dh_porder_add_strike(
	struct dh_porder *o, uint32_t sender, uint32_t task, uint32_t index, bool inside);

/* How many calls of the task happened before call c, or are c itself. */
uint32_t dh_porder_known(const struct dh_porder *o, uint32_t c, uint32_t task);
/* The same for the moment when c begins: without what it follows because it waits for that. */
uint32_t dh_porder_known_before(const struct dh_porder *o, uint32_t c, uint32_t task);
/* a happens before b, inherently; false for a == b.  Constant time. */
bool dh_porder_before(const struct dh_porder *o, uint32_t a, uint32_t b);
bool dh_porder_concurrent(const struct dh_porder *o, uint32_t a, uint32_t b);
/* The number of the task's call with that index, or DH_NO_CALL. */
uint32_t dh_porder_find(const struct dh_porder *o, uint32_t task, uint32_t index);

/* The earlier calls that c conflicts with; the nearest ones, what they imply is left out. */
const uint32_t *dh_porder_deps(const struct dh_porder *o, uint32_t c, size_t *ret_n);
