/* Functions, as they are executed: facts about the body (prep.c), one way to enter it with what
 * came out of it (a context), and the work that is left (walk.c, flow.c).  The run owns contexts
 * and facts; frames are a stack that walk.c owns. */
#pragma once
#include "scan/analysis/state.h"

struct dh_scan_caller;
struct dh_scan_rule;

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
	bool crowded;            /* a block of it was reached in as many states as are followed */
	bool sets_up;            /* it, or all that call it, make objects or take them down */
	/* Called where too many functions may be meant: what all such callers hold. */
	bool outer_known;
	uint32_t outer, outer_fn, outer_stmt;
};

/* How control leaves a function. */
enum dh_scan_way {
	DH_WAY_RETURN,
	DH_WAY_THROW, /* by an exception */
	DH_WAY_JUMP,  /* by longjmp(): to where is in the state (jump.c) */
};

struct dh_scan_exit {
	struct dh_scan_state state; /* what is returned is in the cell of dh_scan_return_cell() */
	uint32_t edges;             /* how many ends of paths came to this one */
	enum dh_scan_way way;
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
	bool may_throw; /* out of something that is not known, or so it is supposed */
	/* Who entered it first, for traces: context, and the call statement there. */
	uint32_t by, by_stmt;
	uint16_t depth;
};

/* prep.c */
const struct dh_scan_fn *dh_scan_prepare(struct dh_scan_run *run, uint32_t fn);
void dh_scan_fn_release(struct dh_scan_fn *f);
void dh_scan_find_writes(struct dh_scan_run *run);
/* What is known of a function is handed to those that call it, and on: pass() does it for one of
 * them, and says whether that one learned anything.  from: where it begins, by function; none when
 * it is over. */
void dh_scan_spread(struct dh_scan_run *run, bool *from,
	bool (*pass)(void *arg, uint32_t fn, const struct dh_scan_caller *to), void *arg);
/* The bit of an address in such masks. */
uint64_t dh_scan_write_bit(struct dh_scan_run *run, uint32_t addr);
const struct dh_scan_rule *dh_scan_rule_of(struct dh_scan_run *run, uint32_t symbol);
static inline uint64_t dh_scan_local_bit(uint32_t local)
{
	return UINT64_C(1) << (local % 64);
}

/* walk.c */
struct dh_scan_item {
	struct dh_scan_state state;
	uint32_t node, stmt;
	bool shielded; /* exceptions out of the call are not followed */
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

/* A place that longjmp() can come back to: see jump.c. */
struct dh_scan_jump {
	uint32_t buffer, node, stmt;
	struct dh_scan_state begun; /* where setjmp() was called */
	struct dh_scan_slots slots; /* what came back */
	bool taken;
};

struct dh_scan_frame {
	struct dh_scan_frame *up;
	struct dh_scan_frame *bottom; /* where the thread began */
	uint32_t context, fn, thread;
	uint32_t states; /* that are followed into a block */
	const struct dh_scan_function *body;
	const struct dh_scan_fn *prep;
	struct dh_scan_slots *nodes;
	uint64_t *pending; /* bits by position */
	struct dh_scan_item *items;
	uint32_t n_items, cap_items;
	struct dh_scan_jump *jumps;
	uint32_t n_jumps, cap_jumps;
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
/* The path leaves the function in this way, with this result.  Takes the state over. */
void dh_scan_add_exit(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s,
	uint32_t result, enum dh_scan_way way);
/* The path goes on at the statement, together with those that came there by the same slots.  Takes
 * the state over. */
void dh_scan_arrive(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_slots *slots,
	uint32_t node, uint32_t stmt, struct dh_scan_state *s);
/* The address under which a function's result stands in its exits. */
uint32_t dh_scan_return_cell(struct dh_scan_run *run, uint32_t fn);
/* The path goes on at the block.  Takes the state over. */
void dh_scan_go(struct dh_scan_run *run, struct dh_scan_frame *f, uint32_t from, uint32_t block,
	struct dh_scan_state *s);
/* flow.c: an exception leaves the statement, to where its block says, else out of the function.
 * Takes the state over. */
void dh_scan_throw(struct dh_scan_run *run, struct dh_scan_frame *f, const struct dh_scan_item *it,
	uint32_t stmt, struct dh_scan_state *s);
/* Something that may throw was called, and nobody knows whether it does.  The state is that of the
 * exception. */
void dh_scan_suppose_throw(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_item *it, uint32_t stmt, const struct dh_scan_state *s);
/* The ends of a block. */
void dh_scan_leave(struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_item *it);

/* jump.c */
/* setjmp() is called. */
void dh_scan_set_jump(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_item *it, uint32_t stmt, uint32_t buffer);
/* longjmp() is called. */
void dh_scan_begin_jump(struct dh_scan_run *run, struct dh_scan_state *s, uint32_t buffer);
/* The path goes on behind the setjmp() of the buffer, which returns the value; else it leaves the
 * function.  Takes the state over. */
void dh_scan_jump(
	struct dh_scan_run *run, struct dh_scan_frame *f, struct dh_scan_state *s, uint32_t value);
/* Nothing is left to do in the function: whether there is a setjmp() to which nothing was seen to
 * come back.  It goes on there. */
bool dh_scan_resume_jump(struct dh_scan_run *run, struct dh_scan_frame *f);
void dh_scan_jumps_release(struct dh_scan_frame *f);
