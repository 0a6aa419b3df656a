/* Threads: where they begin, who creates and awaits whom, and what may happen at the same time.
 * The run owns them; a thread's number is its place in run->threads. */
#pragma once
#include "scan/analysis/context.h"

struct dh_scan_sink;

enum dh_scan_thread_kind {
	DH_THREAD_MAIN,   /* the program's beginning */
	DH_THREAD_NORMAL, /* created */
	DH_THREAD_ASYNC,  /* runs some time, any number of times */
	DH_THREAD_SIGNAL, /* interrupts, does not run beside */
	DH_THREAD_ROOT,   /* called from outside, by anybody, at any time */
};

/* The elements of a table that a loop goes through: from first on, up to end. */
struct dh_scan_rounds {
	bool known;
	int64_t first, end;
};

struct dh_scan_thread {
	enum dh_scan_thread_kind kind;
	uint32_t fn;             /* function id of its beginning; 0: several */
	uint32_t by_fn, by_stmt; /* where it is created, or what is called there to create it ... */
	uint32_t at_stmt;        /* ... in this place, plus 1; 0: it is the same */
	uint32_t arg;            /* node */
	uint32_t parents;        /* set of threads that create it */
	uint32_t beside;         /* set of threads that were alive when it was created */
	uint32_t exit_live;      /* set: its children that may outlive it */
	uint32_t result;         /* node: what it returns, if that is one value */
	uint32_t end_live;       /* set: threads that may run when it ends the program */
	uint32_t exit_joined;    /* set: threads that it waits for before it ends */
	uint32_t under;          /* set of locks that whoever creates it holds */
	uint32_t was_under;      /* ... said the pass before */
	uint32_t cover;          /* set of HELD: locks that are held around its whole life ... */
	uint32_t bared;          /* ... but for these, which are given back while it runs */
	uint32_t let_go;         /* set: what was signalled before it was created */
	struct dh_scan_rounds rounds; /* of the loop that creates its instances */
	bool many;                    /* may run beside another instance of itself */
	bool was_many;                /* ... said the pass before */
	bool begun, created;          /* in this pass: to be created, and walked */
	bool awaited;                 /* somebody who holds a lock waits for its end */
	bool dying;                   /* handles a signal that ends the program: nothing goes on */
};

enum dh_scan_outcome dh_scan_create(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, enum dh_scan_thread_kind kind, uint32_t start,
	uint32_t arg, uint32_t id_addr);
/* The value of the id of the thread that the statement creates. */
uint32_t dh_scan_thread_id(struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t stmt,
	enum dh_scan_thread_kind kind, uint32_t start, uint32_t arg);
/* rounds: of the loop that joins. */
void dh_scan_join(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t node, uint32_t id, bool indexed, const struct dh_scan_rounds *rounds);
/* Others get the value from the thread: if it is the address of a thread-local variable, that
 * thread's is shared from now on. */
void dh_scan_lend(struct dh_scan_run *run, uint32_t value, uint32_t thread);
/* What the thread with the id returns, if it is always the same; 0: not known. */
uint32_t dh_scan_thread_result(struct dh_scan_run *run, uint32_t id);
/* Whether one element of a table is meant: `ids[0]`, with no loop around it. */
bool dh_scan_is_one_element(
	struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t node, uint32_t addr);
/* Joining with locks held: they are kept until the thread ends, which may need them. */
void dh_scan_await(struct dh_scan_run *run, struct dh_scan_frame *f, const struct dh_scan_state *s,
	uint32_t stmt, uint32_t id);
/* A C++ thread object whose state is behind holder; the id goes to id_cell. */
enum dh_scan_outcome dh_scan_start_object(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, uint32_t id, uint32_t holder, uint32_t id_cell);
uint32_t dh_scan_thread_get(struct dh_scan_run *run, enum dh_scan_thread_kind kind, uint32_t fn,
	uint32_t by_fn, uint32_t by_stmt, uint32_t at_stmt, uint32_t arg);
bool dh_scan_is_descendant(struct dh_scan_run *run, uint32_t thread, uint32_t of);

/* rounds.c */
/* Which elements the innermost loop around the statement goes through, if it counts with the index
 * of this element. */
struct dh_scan_rounds dh_scan_rounds_of(
	struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t stmt, uint32_t element);
/* Whether the function calls what the rule stands for in one place only. */
bool dh_scan_is_only_call(
	struct dh_scan_run *run, const struct dh_scan_frame *f, const struct dh_scan_rule *rule);

/* roots.c */
/* What of a kernel begins by itself, and what runs while nothing else does; after annotators. */
void dh_scan_infer_roots(struct dh_scan_run *run);
void dh_scan_run_roots(struct dh_scan_run *run, const struct dh_scan_sink *sink);
/* startup.c: main(), what runs before it and what runs when it is over. */
void dh_scan_run_main(struct dh_scan_run *run, uint32_t fn);

/* under.c: the locks that are held where a thread is created.  first: in this pass. */
void dh_scan_under_create(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t thread, bool first);
void dh_scan_under_acquire(struct dh_scan_run *run, const struct dh_scan_frame *f,
	struct dh_scan_state *s, uint32_t lock);
void dh_scan_under_release(struct dh_scan_run *run, const struct dh_scan_frame *f,
	struct dh_scan_state *s, uint32_t lock);
/* Whether the thread, or one that it comes from, was created with the lock held: who takes it waits
 * for the creator. */
bool dh_scan_is_gate(struct dh_scan_run *run, uint32_t thread, uint32_t lock);

/* mhp.c: may they happen at the same time?  a and b: thread, and sets at that point. */
struct dh_scan_when {
	uint32_t thread, live, joined, waited, signalled, locks;
};
bool dh_scan_parallel(
	struct dh_scan_run *run, const struct dh_scan_when *a, const struct dh_scan_when *b);
/* under.c: whether locks of creators keep them apart. */
bool dh_scan_under_apart(
	struct dh_scan_run *run, const struct dh_scan_when *a, const struct dh_scan_when *b);
