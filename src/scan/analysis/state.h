/* What holds at one point of one abstract execution: the locks, the threads that run beside, what
 * memory is still private, what variables contain, and what branches have told about values.
 * States that agree in locks and threads are joined where paths meet, others go on side by side
 * (as in ESP), so that a branch that decided about a lock is remembered exactly as long as the lock
 * is.  Sets are numbers of the run's table of sets. */
#pragma once
#include "scan/analysis/sym.h"

struct dh_scan_run;

/* Memory at addr contains value.  Both nodes. */
struct dh_scan_cell {
	uint32_t addr, value;
};

/* The value of the node is between lo and hi, and not 0 if ne is set. */
struct dh_scan_range {
	int64_t lo, hi;
	bool ne;
};

struct dh_scan_known {
	uint32_t node;
	struct dh_scan_range range;
};

/* Where a lock was taken, and how far away that is. */
struct dh_scan_held {
	uint32_t lock;
	uint32_t fn, stmt;
	uint16_t conds, calls; /* branches and calls since then */
};

#define DH_SCAN_MAX_HELD  24
#define DH_SCAN_MAX_CELLS 400
#define DH_SCAN_MAX_KNOWN 200

struct dh_scan_state {
	uint32_t locks;              /* of lock numbers */
	uint32_t live, joined;       /* of threads: may run beside; have certainly ended */
	uint32_t waited, signalled;  /* of events: certainly waited for; possibly signalled */
	uint32_t fresh;              /* of symbols: memory that only this thread knows */
	uint32_t shared;             /* of nodes: elements handed to a thread */
	uint32_t turns;              /* of comparisons that held when they were made: turn.c */
	bool concurrent;             /* a concurrency operation was met on the way here */
	bool supposed;               /* by an exception that may never be thrown, or not get here */
	struct dh_scan_cell *cells;  /* by address */
	struct dh_scan_known *known; /* by node */
	struct dh_scan_held *held;
	uint32_t n_cells, cap_cells, n_known, cap_known, n_held, cap_held;
};

void dh_scan_state_release(struct dh_scan_state *s);
void dh_scan_state_copy(struct dh_scan_state *ret, const struct dh_scan_state *s);
/* Whether they may be joined without losing track of a lock or a thread. */
bool dh_scan_state_same_key(const struct dh_scan_state *a, const struct dh_scan_state *b);
/* Joins b into a at the block of the function.  True if a changed.  wide: it has been joined so
 * often that ranges must stop growing. */
bool dh_scan_state_join(struct dh_scan_run *run, struct dh_scan_state *a,
	const struct dh_scan_state *b, uint32_t fn, uint32_t block, bool wide);

/* The value at the address, or 0 when nothing is known. */
uint32_t dh_scan_state_get(const struct dh_scan_state *s, uint32_t addr);
void dh_scan_state_set(struct dh_scan_state *s, uint32_t addr, uint32_t value);
void dh_scan_state_forget(struct dh_scan_state *s, uint32_t addr);
/* Forgets every cell and every fact for which the function says so. */
void dh_scan_state_filter(
	struct dh_scan_state *s, bool (*drop)(void *arg, uint32_t node), void *arg);

struct dh_scan_range dh_scan_state_range(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node);
/* Remembers the range as it is, without a look at what was known. */
void dh_scan_state_note(struct dh_scan_state *s, uint32_t node, struct dh_scan_range range);
/* Learns that the value is in the range.  False: it cannot be, the path does not exist. */
bool dh_scan_state_learn(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t node,
	struct dh_scan_range range);
/* Learns that the value, used as a condition, is true or false. */
bool dh_scan_state_assume(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t node, bool truth);

/* Replaces a node by another wherever it occurs: a loop begins its next round. */
void dh_scan_state_rename(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t from, uint32_t to);

void dh_scan_state_hold(struct dh_scan_state *s, const struct dh_scan_held *h);
void dh_scan_state_drop(struct dh_scan_state *s, uint32_t lock);
const struct dh_scan_held *dh_scan_state_held(const struct dh_scan_state *s, uint32_t lock);
