/* One run of the analysis: everything its parts share.  Private to scan/analysis.
 *
 * walk.c   executes functions abstractly, context by context (RacerX section 3, figure 1)
 * exec.c   statements; call.c, rule.c, thread.c: what calls do
 * memory.c what pointers in memory may point to, for the whole program
 * event.c  accesses, lock orders and mistakes that were met on the way
 * race.c, deadlock.c, misuse.c, ...: what follows from them; rank.c: in which order it is told */
#pragma once
#include "model/finding.h"
#include "model/findings.h"
#include "model/lockset.h"
#include "scan/analysis/state.h"
#include "scan/analysis/sym.h"
#include "scan/analysis/table.h"
#include "scan/link/link.h"
#include "scan/scan.h"

struct dh_scan_frame;

/* A lock: its address, and whether it is taken for reading. */
struct dh_scan_lock {
	uint32_t node;
	bool read;
	uint16_t words; /* enum dh_scan_word, of the rules that took it */
};

enum dh_scan_thread_kind {
	DH_THREAD_MAIN,   /* the program's beginning */
	DH_THREAD_NORMAL, /* created */
	DH_THREAD_ASYNC,  /* runs some time, any number of times */
	DH_THREAD_SIGNAL, /* interrupts, does not run beside */
	DH_THREAD_ROOT,   /* called from outside, by anybody, at any time */
};

struct dh_scan_thread {
	enum dh_scan_thread_kind kind;
	uint32_t fn;             /* function id of its beginning; 0: several */
	uint32_t by_fn, by_stmt; /* where it is created */
	uint32_t arg;            /* node */
	uint32_t parents;        /* set of threads that create it */
	uint32_t beside;         /* set of threads that were alive when it was created */
	uint32_t exit_live;      /* set: its children that may outlive it */
	uint32_t exit_joined;    /* set: threads that it waits for before it ends */
	bool many;               /* may run beside another instance of itself */
	bool was_many;           /* ... said the pass before */
	bool created;            /* in this pass */
	bool awaited;            /* somebody who holds a lock waits for its end */
	bool dying;              /* handles a signal that ends the program: nothing goes on */
};

/* Facts about a function that do not depend on how it is reached; see prep.c. */
struct dh_scan_fn {
	bool ready;
	uint32_t n_nodes; /* blocks, and a second copy of peeled loop headers */
	uint32_t *order;  /* node -> position in reverse postorder, UINT32_MAX: not reachable */
	uint32_t *at;     /* position -> node */
	uint32_t n_order;
	uint32_t *peeled;   /* block -> its copy for entering the loop, or 0 */
	uint32_t *original; /* node -> block */
	uint32_t *loop;     /* block -> innermost header it belongs to, plus 1; 0: none */
	bool *header;       /* block is a loop header */
	uint32_t *parent;   /* header -> the header of the loop around its own, plus 1; 0: none */
	uint64_t *assigned; /* header -> which locals its loop assigns: mask of 64 hashed */
	uint64_t *released; /* header -> which locals lead to a lock that its loop releases */
	uint32_t n_contexts;
	uint32_t n_active;       /* frames of it that are being executed */
	uint32_t by_fn, by_stmt; /* a call of it */
	bool repeated;           /* is called more than once */
	bool locks_inside;       /* has a concurrency operation in its body */
	bool releases;           /* its body gives locks back */
	uint8_t annotation;      /* enum dh_scan_verb */
	bool sets_up;            /* it, or all that call it, make objects or take them down */
	/* Called where too many functions may be meant: what all such callers hold. */
	bool outer_known;
	uint32_t outer, outer_fn, outer_stmt;
};

struct dh_scan_exit {
	struct dh_scan_state state; /* what is returned is in the cell of dh_scan_return_cell() */
	uint32_t edges;             /* how many ends of paths came to this one */
};

/* A function, entered in one way. */
struct dh_scan_context {
	uint32_t fn, thread;
	struct dh_scan_state entry;
	uint32_t *args;
	uint32_t n_args;
	struct dh_scan_exit *exits;
	uint32_t n_exits, cap_exits;
	uint64_t hash;
	uint32_t next; /* with the same hash */
	bool done, active;
	/* Who entered it first, for traces: context, and the call statement there. */
	uint32_t by, by_stmt;
	uint16_t depth;
};

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
	bool ordered;              /* the objects of both were compared before */
	bool upward; /* taken in a function that has returned: downward propagation misses it */
};

enum dh_scan_mistake_kind {
	DH_MISTAKE_DOUBLE,    /* acquired while held */
	DH_MISTAKE_NOT_HELD,  /* released while not held */
	DH_MISTAKE_LEFT,      /* held at the end of a path, released on the others */
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
	double p; /* how likely a lock would be used like this */
};

/* Which of the exits of a callee that contradict each other is believed (RacerX 6.3). */
enum dh_scan_summaries {
	DH_SUMMARIES_ALL,
	DH_SUMMARIES_MAJORITY, /* that most paths lead to */
	DH_SUMMARIES_SMALLEST, /* with the fewest locks */
};

struct dh_scan_limits {
	uint32_t contexts; /* entries per function (RacerX uses 100) */
	uint32_t work;     /* statements per function, over all its entries */
	uint32_t states;   /* states per block */
	uint32_t accesses; /* kept per statement */
	uint32_t targets;  /* of a call through a pointer */
	uint64_t steps;    /* statements executed in all */
	uint32_t threads_in_cycle;
};

struct dh_scan_counts {
	uint64_t steps, contexts, cut_contexts, cut_states, cut_targets, recursions, cut_accesses;
	uint64_t cut_cycles; /* locks whose cycles were not all searched for */
	uint64_t untold;     /* deadlocks beyond those that are told */
	uint64_t sampled;    /* variables of which not all accesses were compared */
	uint64_t unreleased; /* lock orders that unlockset analysis dropped */
	bool out_of_steps;
};

struct dh_scan_list {
	void *items;
	size_t n, cap;
};

struct dh_scan_run {
	struct dh_scan_program *p;
	struct dh_scan_links *links;
	struct dh_scan_table *table;
	const struct dh_scan_options *o;
	struct dh_locksets *sets;
	struct dh_syms syms;
	struct dh_scan_limits limits;
	struct dh_scan_counts counts;
	enum dh_scan_mode mode;
	bool kernel; /* no program of its own: every root may run beside every other */
	bool last;   /* this pass is recorded */
	enum dh_scan_summaries summaries;
	bool error_paths;   /* locks are followed past mistakes with them */
	bool downward_only; /* lock orders only of locks that callers hold */
	bool library;       /* no main: called from outside, by any thread */

	const struct dh_scan_rule **rules; /* by symbol */
	bool *rules_known;
	struct dh_map said; /* symbol -> the first fact about it; see capability.h */
	bool said_known;
	struct dh_scan_fn *fns; /* by function id */
	uint64_t *writes;       /* by function id: hashed mask of what it and its callees write */

	struct dh_scan_lock *locks; /* 0 is unused */
	uint32_t n_locks, cap_locks;
	struct dh_map lock_index;
	struct dh_map cut_sites; /* call and locks -> 1: its targets know of it */
	struct dh_map recursive; /* address with any index -> 1: its owner may take it again */

	struct dh_scan_thread *threads;
	uint32_t n_threads, cap_threads;

	struct dh_scan_context *contexts; /* 0 is unused */
	uint32_t n_contexts, cap_contexts;
	struct dh_map context_index;
	struct dh_scan_frame *top; /* the innermost function being executed */

	struct dh_map memory; /* address with any index -> row of values */
	struct dh_sym *rows;  /* of memory: values, n_values */
	uint32_t n_rows, cap_rows;
	struct dh_map stored;   /* address and value -> 1: added in this pass */
	bool settled;           /* the program was walked: nothing is added any more */
	struct dh_map resolved; /* address and limit -> where its places stand in the pool */
	uint32_t *places;
	size_t n_places, cap_places;

	struct dh_scan_access *accesses;
	uint32_t n_accesses, cap_accesses;
	struct dh_map access_index, access_count;
	struct dh_scan_section *sections;
	uint32_t n_sections, cap_sections;
	struct dh_map section_index;
	struct dh_map empty_sections; /* place of acquisition -> 1: nothing is protected there */
	bool sections_summed;
	struct dh_map section_only, section_first, section_last; /* variable -> count */
	struct dh_scan_order_edge *edges;
	uint32_t n_edges, cap_edges;
	struct dh_map edge_index;
	struct dh_scan_mistake *mistakes;
	uint32_t n_mistakes, cap_mistakes;
	struct dh_map mistake_index;
	struct dh_map release_held; /* place -> 1: a lock that is released there was held */
	struct dh_scan_usage *usages;
	uint32_t n_usages, cap_usages;
	struct dh_map usage_index, usage_sites;
	struct dh_map writers; /* global variable or its member, any index -> set of threads */
	struct dh_map writes_seen;
	struct dh_map written_beside; /* the same -> set of threads that may run at a write */
	struct dh_map turns;          /* variable -> how it is used: see turn.c */
	struct dh_map turn_index;     /* variable -> the last of its writes, plus 1 */
	struct dh_scan_turn_write *turn_writes;
	uint32_t n_turn_writes, cap_turn_writes;
	struct dh_map initial;   /* variable -> the number that it begins with, if not 0 */
	struct dh_map constants; /* variable -> its only value: see constant.c */
	struct dh_map modes;     /* address -> 1: says whether threads run (mode.c) */
	uint32_t n_modes;
	struct dh_map atomics;    /* address with any index -> how it is used: see atomic.c */
	struct dh_map signallers; /* event node -> set of threads */
	struct dh_findings findings;
};

/* Whether the thread may have several instances, as far as this pass or the one before knows. */
static inline bool dh_scan_is_many(const struct dh_scan_run *run, uint32_t thread)
{
	return run->threads[thread].many || run->threads[thread].was_many;
}

/* lock.c */
uint32_t dh_scan_lock_get(struct dh_scan_run *run, uint32_t node, bool read, uint16_t words);
/* The lock at the other address; 0 when the node is unknown. */
uint32_t dh_scan_lock_rename(struct dh_scan_run *run, uint32_t lock, uint32_t from, uint32_t to);
/* Held in either mode: the lock's number, or 0. */
uint32_t dh_scan_lock_held(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node);
/* A lock of which there is one: two threads that name it mean the same. */
bool dh_scan_lock_is_unique(struct dh_scan_run *run, uint32_t lock);
/* What locks of a kind have in common: the member, or the variable; 0: not known. */
uint32_t dh_scan_lock_kind(struct dh_scan_run *run, uint32_t node);
uint32_t dh_scan_field_kind(struct dh_scan_run *run, uint32_t field);
/* Interrupts off, RCU: it keeps handlers or reclaim away, not other threads. */
bool dh_scan_lock_is_local(struct dh_scan_run *run, uint32_t lock);
void dh_scan_lock_acquire(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t node, uint16_t words, bool try);
void dh_scan_lock_release(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t node);
/* "p->lock", for people. */
const char *dh_scan_lock_name(struct dh_scan_run *run, uint32_t lock);

/* prep.c */
const struct dh_scan_fn *dh_scan_prepare(struct dh_scan_run *run, uint32_t fn);
void dh_scan_fn_release(struct dh_scan_fn *f);
void dh_scan_find_writes(struct dh_scan_run *run);
/* The bit of an address in such masks. */
uint64_t dh_scan_write_bit(struct dh_scan_run *run, uint32_t addr);
const struct dh_scan_rule *dh_scan_rule_of(struct dh_scan_run *run, uint32_t symbol);
static inline uint64_t dh_scan_local_bit(uint32_t local)
{
	return UINT64_C(1) << (local % 64);
}

/* memory.c */
void dh_scan_memory_seed(struct dh_scan_run *run);
void dh_scan_memory_add(struct dh_scan_run *run, uint32_t addr, uint32_t value);
/* The values seen at the address; *ret_n of them; *more: others too. */
const uint32_t *dh_scan_memory_get(
	struct dh_scan_run *run, uint32_t addr, uint32_t *ret_n, bool *more);
/* Whether values like this stay alternatives where paths meet. */
bool dh_scan_alternative(struct dh_scan_run *run, uint32_t value);
/* The places that an address may be: with any index, not symbolic.  At most max; 0: not known. */
uint32_t dh_scan_resolve(struct dh_scan_run *run, uint32_t addr, uint32_t *ret, uint32_t max);

#define DH_SIGNALS_BLOCKED "signals blocked"

/* exec.c */
/* Members of what is copied keep their values. */
void dh_scan_copy_cells(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t to, uint32_t from);
uint32_t dh_scan_eval(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t node);
/* The constant that a value is known to be, else the value.  Names of loops stay names: which round
 * it is must not matter. */
uint32_t dh_scan_fold(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t node);
uint32_t dh_scan_load_value(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t addr);
void dh_scan_store_value(
	struct dh_scan_run *run, struct dh_scan_state *s, uint32_t addr, uint32_t value);
/* What the value leads to may be seen by others from now on. */
void dh_scan_publish(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t value);

/* own.c */
/* Memory that nobody else knows. */
bool dh_scan_is_fresh(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t addr);
/* An access to the address, unless it is to memory that nobody else knows. */
void dh_scan_touch(struct dh_scan_run *run, struct dh_scan_frame *f, const struct dh_scan_state *s,
	uint32_t stmt, uint32_t addr, uint32_t size, uint16_t flags);
/* Whether the place in a global variable is written by this thread alone, so that its value stays
 * while others run.  Known from the first pass. */
bool dh_scan_only_writer(struct dh_scan_run *run, uint32_t addr, uint32_t thread);
/* The same, or nobody writes it from the beginning of the thread to its end. */
bool dh_scan_is_stable(struct dh_scan_run *run, uint32_t addr, uint32_t thread);
/* The symbol gets another name: what was taken stays taken. */
void dh_scan_own_as(struct dh_scan_run *run, uint32_t from, uint32_t to);
/* Before the value is stored: does that take an object out of a list? */
void dh_scan_take_out(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t addr, uint32_t *value);
/* Behind a statement that uses the expression: is there a number of a shared counter in it that is
 * this thread's own now? */
void dh_scan_claim(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t node);
/* An atomic update gives what was there: a number that nobody else gets, or, where it left null, an
 * object. */
void dh_scan_own_update(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t addr,
	uint32_t value, uint32_t result);
/* What such a number was counted with: equal for two that are different.  0: it is none. */
uint32_t dh_scan_claim_of(struct dh_scan_run *run, uint32_t node);

/* walk.c */
struct dh_scan_item {
	struct dh_scan_state state;
	uint32_t node, stmt;
};

struct dh_scan_slot {
	struct dh_scan_state state;
	uint32_t visits;
	bool pending;
};

struct dh_scan_slots {
	struct dh_scan_slot *slots;
	uint32_t n, cap;
};

struct dh_scan_frame {
	struct dh_scan_frame *up;
	struct dh_scan_frame *bottom; /* where the thread began */
	uint32_t context, fn, thread;
	const struct dh_scan_function *body;
	const struct dh_scan_fn *prep;
	struct dh_scan_slots *nodes;
	uint64_t *pending; /* bits by position */
	struct dh_scan_item *items;
	uint32_t n_items, cap_items;
};

enum dh_scan_outcome {
	DH_EXEC_NEXT,
	DH_EXEC_END,  /* the path goes no further */
	DH_EXEC_WAIT, /* a callee was entered; come here again afterwards */
};

/* The context, new or old.  Takes the entry state over.  0: the function was entered in too many
 * ways. */
uint32_t dh_scan_context_get(struct dh_scan_run *run, uint32_t fn, uint32_t thread,
	struct dh_scan_state *entry, const uint32_t *args, uint32_t n_args, uint32_t by,
	uint32_t by_stmt);
/* How many ways into the function are followed. */
uint32_t dh_scan_entries(struct dh_scan_run *run, uint32_t fn);
void dh_scan_enter(struct dh_scan_run *run, uint32_t context);
/* Executes until the function entered last, and all it enters, are done. */
void dh_scan_walk(struct dh_scan_run *run);
/* Another state goes on behind the statement.  Takes the state over. */
void dh_scan_fork(struct dh_scan_run *run, struct dh_scan_frame *f, const struct dh_scan_item *it,
	struct dh_scan_state *s);
/* The path ends with this result.  Takes the state over. */
void dh_scan_add_exit(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t result);
/* The address under which a function's result stands in its exits. */
uint32_t dh_scan_return_cell(struct dh_scan_run *run, uint32_t fn);
/* The path goes on at the block.  Takes the state over. */
void dh_scan_go(struct dh_scan_run *run, struct dh_scan_frame *f, uint32_t from, uint32_t block,
	struct dh_scan_state *s);
/* flow.c: the ends of a block. */
void dh_scan_leave(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it);

/* exec.c */
enum dh_scan_outcome dh_scan_exec(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it, uint32_t stmt);
/* atomic.c */
void dh_scan_atomic_read(struct dh_scan_run *run, uint32_t addr, uint8_t order);
void dh_scan_atomic_write(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t addr, uint32_t value);
/* May fork the path. */
void dh_scan_atomic_update(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it, uint32_t stmt);
/* A branch has decided about the condition. */
void dh_scan_atomic_learn(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t condition);
/* call.c */
enum dh_scan_outcome dh_scan_exec_call(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it, uint32_t stmt);
/* Calls one function with these arguments; *ret_next: whether the item itself goes on. */
enum dh_scan_outcome dh_scan_call_function(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, uint32_t symbol, const uint32_t *args,
	uint32_t n_args);
/* Entry cells: what is reachable from the values. */
void dh_scan_pass_cells(struct dh_scan_run *run, const struct dh_scan_state *from,
	const uint32_t *values, uint32_t n, struct dh_scan_state *to);
/* The result of the call is this value; 0: unknown, with a name of its own. */
void dh_scan_set_result(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t value);
/* result.c: the result of a call of the function, as its exit has it, with what is known of it. */
void dh_scan_take_result(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, uint32_t fn, uint32_t value, struct dh_scan_range range);
/* A name for what the call makes; what it made before becomes old. */
uint32_t dh_scan_make(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t stmt, enum dh_sym_kind kind);
/* mode.c: variables that go with which threads are alive. */
void dh_scan_find_modes(struct dh_scan_run *run);
/* constant.c */
void dh_scan_find_constants(struct dh_scan_run *run);
/* The only value that a variable ever has, or 0. */
uint32_t dh_scan_constant(struct dh_scan_run *run, uint32_t addr);
/* What such variables contain when main is called. */
void dh_scan_begin_program(struct dh_scan_run *run, struct dh_scan_state *s);

/* Once the threads are known. */
void dh_scan_find_orders(struct dh_scan_run *run);
bool dh_scan_is_mode(struct dh_scan_run *run, uint32_t addr);
void dh_scan_trust_modes(struct dh_scan_run *run, struct dh_scan_state *s);
/* What the caller knows of them, for a callee in the same thread. */
void dh_scan_begin_modes(struct dh_scan_run *run, const struct dh_scan_state *from, uint32_t thread,
	struct dh_scan_state *to);
void dh_scan_pass_modes(struct dh_scan_run *run, const struct dh_scan_state *from, uint32_t thread,
	struct dh_scan_state *to);
/* abstract.c: what a callee is told, and what comes back.  args: what it is told; 0: nothing. */
/* Whether the callee hears at all of what is in memory. */
bool dh_scan_is_told_cells(struct dh_scan_run *run, uint32_t fn);
void dh_scan_abstract(struct dh_scan_run *run, uint32_t fn, struct dh_scan_state *e, uint32_t *args,
	uint32_t n_args);
void dh_scan_concrete(struct dh_scan_run *run, uint32_t context, struct dh_scan_state *s,
	const struct dh_scan_state *was, const uint32_t *args, uint32_t n_args);
/* The locks held, as a callee that cannot name them knows them. */
uint32_t dh_scan_outer_locks(struct dh_scan_run *run, const struct dh_scan_state *s);
/* rule.c */
enum dh_scan_outcome dh_scan_apply(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, const struct dh_scan_rule *rule,
	const uint32_t *args, uint32_t n_args);
/* thread.c */
enum dh_scan_outcome dh_scan_create(struct dh_scan_run *run, struct dh_scan_frame *f,
	struct dh_scan_item *it, uint32_t stmt, enum dh_scan_thread_kind kind, uint32_t start,
	uint32_t arg, uint32_t id_addr);
/* The value of the id of the thread that the statement creates. */
uint32_t dh_scan_thread_id(struct dh_scan_run *run, const struct dh_scan_frame *f, uint32_t stmt,
	enum dh_scan_thread_kind kind, uint32_t start, uint32_t arg);
void dh_scan_join(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t node, uint32_t id, bool indexed);
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
	uint32_t by_fn, uint32_t by_stmt, uint32_t arg);
bool dh_scan_is_descendant(struct dh_scan_run *run, uint32_t thread, uint32_t of);
/* Functions that a value may be: symbols.  At most max. */
uint32_t dh_scan_functions(struct dh_scan_run *run, struct dh_scan_frame *f, uint32_t value,
	uint32_t node, uint32_t *ret, uint32_t max);

/* roots.c */
/* What of a kernel begins by itself, and what runs while nothing else does; after annotators. */
void dh_scan_infer_roots(struct dh_scan_run *run);
void dh_scan_run_roots(struct dh_scan_run *run, const struct dh_scan_sink *sink);

/* event.c */
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

/* mhp.c: may they happen at the same time?  a and b: thread, and sets at that point. */
struct dh_scan_when {
	uint32_t thread, live, joined, waited, signalled, locks;
};
bool dh_scan_parallel(
	struct dh_scan_run *run, const struct dh_scan_when *a, const struct dh_scan_when *b);

/* turn.c */
void dh_scan_note_turn(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t addr, uint16_t flags);
/* Whether threads only use the variable with a lock, or atomically. */
bool dh_scan_is_turn(struct dh_scan_run *run, uint32_t addr);
/* What was loaded from such a variable is in the range. */
void dh_scan_learn_turn(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t load,
	struct dh_scan_range range);
/* A store to one: the turn is somebody else's, and who sees it comes behind. */
void dh_scan_pass_turn(struct dh_scan_run *run, const struct dh_scan_frame *f,
	struct dh_scan_state *s, uint32_t addr, uint32_t value);
void dh_scan_note_turn_write(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t addr);
/* A lock was not held up to now: others may have changed what is only used with locks. */
void dh_scan_forget_turns(
	struct dh_scan_run *run, const struct dh_scan_frame *f, struct dh_scan_state *s);
/* Whether it is never both's turn. */
bool dh_scan_take_turns(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b);

/* alias.c */
/* Whether two accesses to the same place, as far as names go, are certainly to different objects.
 */
bool dh_scan_disjoint(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b);
/* The lock that keeps them apart, or 0. */
uint32_t dh_scan_common_lock(
	struct dh_scan_run *run, const struct dh_scan_access *a, const struct dh_scan_access *b);

/* escape.c */
/* Others are told of what the value leads to. */
void dh_scan_escape(struct dh_scan_run *run, uint32_t value);
void dh_scan_find_escapes(struct dh_scan_run *run);
bool dh_scan_escapes(const struct dh_scan_run *run, uint32_t place);

/* bucket.c: accesses by the place that they are to. */
struct dh_scan_bucket {
	uint64_t key;
	uint32_t place; /* node, or 0: a member of objects that are not known */
	uint32_t field;
	uint32_t *items; /* accesses */
	uint32_t n, cap;
};

struct dh_scan_buckets {
	struct dh_scan_bucket *rows;
	uint32_t n, cap;
	struct dh_map index;
};

/* In how many critical sections a variable is the only, the first, the last thing (section.c). */
struct dh_scan_usage_section {
	uint32_t only, first, last;
};

/* A critical section: from where a lock is taken to where it is given back. */
struct dh_scan_section {
	uint32_t fn, stmt;    /* of the acquisition */
	uint32_t first, last; /* address with any index */
	uint32_t n;           /* different variables, as far as they were counted */
	uint32_t seen[4];
	bool more;
};

void dh_scan_section_access(struct dh_scan_run *run, const struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t addr);
/* empty.c: notes a section that protects nothing. */
void dh_scan_check_section(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t lock);
struct dh_scan_usage_section dh_scan_sections_of(
	struct dh_scan_run *run, const struct dh_scan_bucket *b);

void dh_scan_buckets_fill(struct dh_scan_run *run, struct dh_scan_buckets *b);
void dh_scan_buckets_release(struct dh_scan_buckets *b);

/* race.c, deadlock.c, misuse.c: each adds to run->findings. */
void dh_scan_find_races(struct dh_scan_run *run);
/* unlockset.c: drops lock orders whose first lock nobody releases behind. */
void dh_scan_trim_orders(struct dh_scan_run *run);
void dh_scan_find_deadlocks(struct dh_scan_run *run);
void dh_scan_find_mistakes(struct dh_scan_run *run);
void dh_scan_infer_locks(struct dh_scan_run *run);
void dh_scan_find_left(struct dh_scan_run *run); /* left.c: adds to the mistakes */
/* words.c */
void dh_scan_frame_of(struct dh_scan_run *run, uint32_t fn, uint32_t stmt, struct dh_frame *ret);
/* The stack of a context, innermost first, into the finding's arena. */
void dh_scan_stack_of(struct dh_scan_run *run, struct dh_finding *f, uint32_t context, uint32_t fn,
	uint32_t stmt, struct dh_stack *ret);
const char *dh_scan_thread_name(
	struct dh_scan_run *run, struct dh_finding *f, uint32_t thread, uint32_t context);
void dh_scan_set_text(struct dh_scan_run *run, struct dh_finding *f, uint32_t locks,
	const char ***ret, size_t *ret_n);
const char *dh_scan_var_name(struct dh_scan_run *run, uint32_t addr, struct dh_buf *out);
