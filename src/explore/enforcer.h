/* Private to this folder: the enforcer while it works.
 *
 *   enforce.c   the gate: who is held, and until when
 *   match.c     which recorded call a live one stands for
 *   runs.c      calls for which nobody is held: they need not even stop
 *   strikes.c   signals come where they came
 *   feed.c      what comes from outside is what it was: time, random bytes */
#pragma once
#include "base/map.h"
#include "explore/branch.h"
#include "explore/enforce.h"
#include "explore/history.h"

/* A clock that was fed goes on from there, this far from the real one. */
struct fed_clock {
	bool shifted;
	int64_t shift, last; /* ns */
};
#define FED_CLOCKS 8

/* A call stream may differ a little where the kernel's timing shows: polls, interrupted waits. */
#define RESYNC_MAX 12

struct live {
	uint32_t task;    /* in the history, or DH_NO_TASK */
	uint32_t index;   /* of its next call there */
	uint32_t call;    /* the one that it is in, or DH_NO_CALL */
	uint32_t extra;   /* calls in a row that the recording does not have */
	uint32_t clones;  /* made so far */
	uint32_t process; /* its pid */
	bool matched;     /* the call that it is in has been compared */
	bool held;        /* at the entry of a call */
	bool own_clock;   /* sees the real clocks: see feed.c */
	bool departed;    /* goes its own way, behind the anchors */
	bool cloning;
};

struct dh_enforcer {
	struct dh_enforcer_options opt;
	struct dh_map tasks;    /* recorder's number -> struct live * */
	struct dh_map children; /* parent and nth -> task of the history + 1 */
	struct dh_outcome_process *processes;
	size_t n_processes, cap_processes;
	struct dh_map by_pid; /* pid -> index in processes + 1 */
	bool *over;           /* by call */
	uint32_t *runs;       /* by call, see runs.c */
	bool *gone;           /* by task: its calls that are not over will never come */
	uint32_t anchors_over;
	bool live;    /* past the anchors, or never held */
	bool relaxed; /* only the anchors are still held */
	bool stray;   /* signals may come where they like */
	bool keeps;   /* the recorded order is kept where that is possible, although it is live */
	uint32_t given_up; /* times that it was not */
	bool diverged, hung, ended_early;
	uint32_t diverged_at;
	char why[520];
	bool *own_clocks;                    /* by process of the history */
	struct fed_clock clocks[FED_CLOCKS]; /* by id */
	struct live *cloning;                /* one at a time, so that numbers can be chosen */
	double began, root_ended;
	double quiet; /* so long nothing has moved */
	pid_t root;
};

/* Notes that the recording is left, unless everything is free anyway. */
void dh_enforcer_diverge(struct dh_enforcer *e, uint32_t call, const char *fmt, ...)
	DH_PRINTF(3, 4);

/* match.c */
bool dh_enforcer_is_anchor(const struct dh_enforcer *e, uint32_t call);
/* Which recorded call the live one stands for: into t->call, DH_NO_CALL for one that the recording
 * does not have.  False: a divergence. */
bool dh_enforcer_match(struct dh_enforcer *e, struct live *t, const struct dh_gate_call *c);

/* strikes.c */
/* Whether the task is where a signal struck it that is still to come. */
bool dh_strike_awaited(const struct dh_enforcer *e, const struct live *t);
/* Whether the call would strike its target before that is where it was. */
bool dh_strike_too_early(const struct dh_enforcer *e, uint32_t call);

/* runs.c */
/* For each call how many free ones its task makes in a row from there on; the caller frees. */
uint32_t *dh_runs_find(const struct dh_history *h, const struct dh_branch *b);
/* The gate's `allows`. */
uint32_t dh_enforcer_allows(void *cookie, uint32_t task);

/* feed.c */
typedef int feed_write(void *cookie, uint64_t addr, const void *p, size_t n);
/* The gate's `feed`. */
int64_t dh_enforcer_feed(void *cookie, const struct dh_gate_call *c, feed_write *write);
/* The gate's `own_clock`. */
bool dh_enforcer_own_clock(void *cookie, uint32_t task);
/* Whether that clock is fed: below FED_CLOCKS then. */
bool dh_feed_has_clock(uint64_t id);
/* Which processes keep the real clocks; the caller frees. */
bool *dh_feed_find_clocks(const struct dh_history *h);
