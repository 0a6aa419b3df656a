/* What was met on the way: accesses, lock orders, mistakes, how semaphores are used, and what
 * critical sections protect.  Each event is kept once, in the run's arrays. */
#pragma once
#include "scan/analysis/context.h"

enum dh_scan_access_flags {
	DH_SA_WRITE = 1 << 0,
	DH_SA_ATOMIC = 1 << 1,
	DH_SA_VOLATILE = 1 << 2,
	DH_SA_BITS = 1 << 3,
	DH_SA_CONST = 1 << 4,       /* writes 0 or 1 */
	DH_SA_CONCURRENT = 1 << 5,  /* locking was met before */
	DH_SA_OWN_ELEMENT = 1 << 6, /* of an array, before the element was handed to a thread */
	DH_SA_UPDATE = 1 << 7,      /* what is written depends on what was there */
	DH_SA_FREE = 1 << 8,
	DH_SA_WHOLE = 1 << 9,
	DH_SA_MAYBE = 1 << 10,   /* through a pointer with several targets */
	DH_SA_OWNED = 1 << 11,   /* of an object that the thread took out of a shared one (own.c) */
	DH_SA_BELOW = 1 << 12,   /* of what such an object leads to */
	DH_SA_RELAXED = 1 << 13, /* atomic, but it orders nothing */
};

/* An access in one situation. */
struct dh_scan_access {
	uint32_t addr; /* node */
	uint32_t fn, stmt;
	uint32_t context;
	uint32_t locks, live, joined, waited, signalled;
	uint32_t own;   /* of locks: those that this very function has taken */
	uint32_t turns; /* set of comparisons that were true: see turn.c */
	uint32_t thread;
	uint32_t size;
	uint16_t flags;
};

/* While a was held, b was acquired. */
struct dh_scan_order_edge {
	uint32_t held, taken; /* locks */
	uint32_t fn, stmt;    /* of the second acquisition */
	uint32_t from_fn, from_stmt;
	uint32_t context;
	uint32_t others; /* set: all that was held */
	uint32_t live, joined, thread, waited, signalled;
	uint16_t conds, calls;
	bool blocking, try, again; /* again: a condition's lock, taken back */
	int32_t sorted; /* by what the objects of both were compared before: see sorted.c */
	bool upward;    /* taken in a function that has returned: downward propagation misses it */
};

enum dh_scan_mistake_kind {
	DH_MISTAKE_DOUBLE,    /* acquired while held */
	DH_MISTAKE_NOT_HELD,  /* released while not held */
	DH_MISTAKE_LEFT,      /* held at the end of a path, released on the others */
	DH_MISTAKE_ENDED,     /* held when its thread ends */
	DH_MISTAKE_BLOCKING,  /* may sleep with a spinlock held or interrupts off */
	DH_MISTAKE_ASSERTION, /* not held where the code asserts it */
	DH_MISTAKE_REQUIRED,  /* not held where the callee says that its callers hold it */
	DH_MISTAKE_WAIT,      /* waits for a condition without its lock */
	DH_MISTAKE_DESTROYED, /* destroyed while held */
	DH_MISTAKE_HANDLER, /* a signal handler takes a lock that it may interrupt the holder of */
	DH_MISTAKE_EMPTY,   /* held around nothing */
	DH_MISTAKE_COUNT,
};

struct dh_scan_mistake {
	enum dh_scan_mistake_kind kind;
	uint32_t lock, fn, stmt, from_fn, from_stmt, context, thread;
	uint32_t what; /* string or symbol, by kind */
	uint16_t conds, calls;
};

/* How a semaphore, or a kind of lock, is used. */
struct dh_scan_usage {
	uint32_t node;                       /* address with any index */
	uint32_t acquired, released, errors; /* places in the code */
	int64_t initial;                     /* -1: not known */
	bool is_lock;                        /* what the belief analysis says */
	bool decided;
	bool all; /* who waits for it comes behind all who signal it */
	double p; /* how likely a lock would be used like this */
};

/* A critical section: from where a lock is taken to where it is given back. */
struct dh_scan_section {
	uint32_t fn, stmt;    /* of the acquisition */
	uint32_t first, last; /* address with any index */
	uint32_t n;           /* different variables, as far as they were counted */
	uint32_t seen[4];
	bool more;
};

void dh_scan_note_access(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t addr, uint32_t size, uint16_t flags);
void dh_scan_note_order(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t taken, bool try, bool again);
void dh_scan_note_mistake(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, enum dh_scan_mistake_kind kind, uint32_t stmt, uint32_t lock,
	uint32_t what);
/* The statement may sleep. */
void dh_scan_may_block(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, const char *what);
void dh_scan_judge_semaphores(struct dh_scan_run *run); /* belief.c */
struct dh_scan_usage *dh_scan_usage_of(struct dh_scan_run *run, uint32_t node);
void dh_scan_note_usage(
	struct dh_scan_run *run, struct dh_scan_frame *f, uint32_t stmt, uint32_t node, int what);
void dh_scan_note_signal(struct dh_scan_run *run, uint32_t event, uint32_t thread);
uint32_t dh_scan_signallers(struct dh_scan_run *run, uint32_t event);

/* sorted.c */
/* By what branches have told that the object of lock a comes before that of lock b: 1 for their
 * addresses, more for a member; negative, that it comes behind.  0: they were not compared. */
int32_t dh_scan_sorted(
	struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t a, uint32_t b);

/* section.c */
void dh_scan_section_access(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t addr);
/* empty.c: notes a section that protects nothing. */
void dh_scan_check_section(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t lock);
