/* The detector from inside: what its files share.  detect.h is what the scheduler sees.
 *
 * A prediction takes two runs with the same seed.  The first one (screen.c) looks at every access
 * with four shadow cells for each granule, and keeps the granules where threads conflict.  The
 * second one (history.c) looks at these granules alone, and keeps everything about them: all
 * pairs of statements, triples that are not serialisable, first writes, stacks of all sides.
 * Everything belongs to the thread that has the turn. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "sched/frames.h"
#include "sched/sched.h"
#include "sched/cell.h"
#include "sched/segment.h"
#include "sched/vc.h"

#define DH_HELD_MAX     64
#define DH_HANDLERS_MAX 8

struct dh_held {
	uint32_t lock;  /* id of the object */
	uint32_t since; /* the thread's `time` when it was taken */
	bool shared;
	uintptr_t pc;
};

/* Numbers of locks that stand for a blocked signal, and of actors that are handlers of signals on
 * the thread with the rest of the number. */
#define DH_LOCK_OF_SIGNAL 0x20000000u
#define DH_IN_HANDLER     0x80000000u

/* A handler of a signal that runs on a thread. */
struct dh_handling {
	struct dh_call *top; /* of the frames when it began */
	uintptr_t sp;
	int sig; /* 0: it counts as the thread itself */
	struct dh_actor *before;
};

/* A lockset, a lock that comes or goes, and the lockset that follows: these repeat. */
#define DH_CHANGES 8
struct dh_change {
	uint32_t from, member, to;
	bool add;
};

/* A thread, or a fiber, as the detector sees it. */
struct dh_actor {
	struct dh_actor *next; /* all that live */
	uint32_t thread;       /* id */
	uint32_t slot;         /* component in vector clocks, its own */
	struct dh_vc vc;
	uint32_t lockset;
	struct dh_change change[DH_CHANGES];
	uint32_t time; /* locks taken and given back so far */
	uint32_t nheld;
	struct dh_held held[DH_HELD_MAX];
	struct dh_segment_cache cache;
	/* Relaxed atomics and fences: what a release fence has published, and what relaxed loads
	 * have seen and an acquire fence would take in. */
	struct dh_vc published, seen;
	bool fenced;
	uint32_t ignore_sync;
	struct dh_frames *frames; /* where its call stack is now; NULL: it has ended */
	struct dh_frames parked;  /* of a fiber that does not run */
	uint64_t *cell;           /* of its thread while it runs */
	struct dh_vc born;        /* what its creator knew then */
	/* Handlers that run on the thread, the innermost last. */
	struct dh_handling level[DH_HANDLERS_MAX];
	uint32_t nlevels;
	struct dh_actor *handler;     /* the actor of all of them; NULL: none ran yet */
	struct dh_actor *interrupted; /* of a handler: the thread's own */
	uintptr_t from;               /* of a handler: who sent the signal; 0: not known */
};

/* One is a handler on the thread of the other. */
static inline bool dh_own_handler(uint32_t a, uint32_t b)
{
	return (a ^ b) == DH_IN_HANDLER;
}

/* Clock of a synchronisation object. */
struct dh_sync {
	struct dh_vc vc;
	struct dh_vc readers; /* locks: released as readers, since the last writer */
	struct dh_vc said;    /* addresses: by annotations, which no store undoes */
};

/* What an instrumented access has to do, apart from the scheduler's part. */
enum dh_look {
	DH_LOOK_NOT,     /* nothing */
	DH_LOOK_HEAP,    /* is the memory freed? */
	DH_LOOK_SCREEN,  /* shadow cells: first run of a prediction */
	DH_LOOK_HISTORY, /* granules of the first run: second run */
};
extern DH_HIDDEN enum dh_look dh_look;
/* The same for accesses that are known at first sight: DH_LOOK_NOT when each needs more than that.
 */
extern DH_HIDDEN enum dh_look dh_glance;
extern DH_HIDDEN uint32_t dh_detecting; /* enum dh_sched_detect */
extern DH_HIDDEN struct dh_actor *dh_actors;

static inline struct dh_actor *dh_actor_of(const struct dh_thread *t)
{
	return t->detect;
}

static inline uint32_t dh_actor_clock(const struct dh_actor *a)
{
	return a->vc.c[a->slot];
}

/* True when what `slot` did at `clock` happened before what a does now. */
static inline bool dh_actor_knows(const struct dh_actor *a, uint32_t slot, uint32_t clock)
{
	return dh_vc_get(&a->vc, slot) >= clock;
}

/* Behind a change of its clock or its locks. */
void DH_HIDDEN dh_actor_renew(struct dh_actor *a);
/* The child knows what the parent (NULL: none) knows. */
struct dh_actor DH_HIDDEN *dh_actor_new(struct dh_actor *parent, uint32_t thread);
void DH_HIDDEN dh_actor_free(struct dh_actor *a);
/* The actor runs on the calling thread from now on. */
void DH_HIDDEN dh_actor_bind(struct dh_actor *a, struct dh_thread *self);
/* The locks that it has held since `time` without a break, as a lockset. */
uint32_t DH_HIDDEN dh_actor_held_since(const struct dh_actor *a, uint32_t time);
/* Its lockset with one member more or less. */
uint32_t DH_HIDDEN dh_actor_change(struct dh_actor *a, uint32_t member, bool add);
/* It took a lock, or gives it back, which it may have taken in another way than it seems; the
 * segment has to be renewed behind that.  dh_actor_let_go() says how it had been taken. */
void DH_HIDDEN dh_actor_hold(struct dh_actor *a, uint32_t lock, bool shared, uintptr_t pc);
bool DH_HIDDEN dh_actor_let_go(struct dh_actor *a, uint32_t lock, bool shared);
/* What happened so far happens before whatever receives it. */
void DH_HIDDEN dh_actor_send(struct dh_actor *a, struct dh_vc *to);
void DH_HIDDEN dh_actor_receive(struct dh_actor *a, const struct dh_vc *from);

/* -- handler.c */
void DH_HIDDEN dh_handlers_reset(void);
void DH_HIDDEN dh_handler_thread_ends(struct dh_thread *self);

/* The clock of an address that is used for synchronisation by atomics and annotations; NULL: it
 * has none, and `make` is false. */
struct dh_sync DH_HIDDEN *dh_sync_at(uintptr_t address, bool make);
/* The memory is gone, and so are the clocks in it. */
void DH_HIDDEN dh_sync_clear(uintptr_t address, size_t size);

/* Where a lock is. */
void DH_HIDDEN dh_lock_note(const struct dh_object *lock);
uint64_t DH_HIDDEN dh_lock_address(uint32_t lock);

/* An access of the first run whose cells do not have it yet.  `access` is the cell without the
 * segment; it stays inside its granule. */
void DH_HIDDEN dh_screen(
	struct dh_thread *self, uint64_t *cells, uintptr_t address, uint64_t access, uintptr_t pc);
/* A heap block that is about to be freed, or the first part of it. */
void DH_HIDDEN dh_screen_free(
	struct dh_thread *self, uintptr_t address, uintptr_t end, uintptr_t pc);
bool DH_HIDDEN dh_screen_start(void);

/* One access, or the end of a heap block, in the second run. */
struct dh_touch {
	uintptr_t address; /* inside one granule */
	uintptr_t pc;
	uint8_t bytes;  /* bit mask in the granule */
	uint8_t access; /* enum dh_sched_access */
};
void DH_HIDDEN dh_history_start(void);
void DH_HIDDEN dh_history(struct dh_thread *self, const struct dh_touch *touch);
/* The memory belongs to somebody new. */
void DH_HIDDEN dh_history_clear(uintptr_t address, size_t size);
/* A bit for each hash of a granule that is followed. */
#define DH_GRANULE_BITS (1u << 16)
extern DH_HIDDEN uint8_t dh_granules[DH_GRANULE_BITS / 8];
static inline bool dh_granule_followed(uintptr_t address)
{
	uint32_t h = (uint32_t)((address >> 3) * 0x9e3779b1u) >> 16;

	return dh_granules[h / 8] >> h % 8 & 1;
}

/* An access of any size and place, in parts that fit into granules. */
void DH_HIDDEN dh_range(
	struct dh_thread *self, uintptr_t address, size_t size, unsigned access, uintptr_t pc);
/* The memory is new, or gone: nothing that happened in it counts any longer. */
void DH_HIDDEN dh_memory_fresh(uintptr_t address, size_t size);
/* A block is freed: that meets what others did in it, and then it has no past. */
void DH_HIDDEN dh_memory_freed(
	struct dh_thread *self, uintptr_t address, size_t size, uintptr_t pc);
/* Behind the accesses of others to a stack, for DH_SUB_AFTER_THREAD_END. */
void DH_HIDDEN dh_visit_note(struct dh_thread *self, const struct dh_touch *touch);
void DH_HIDDEN dh_visit_owner_ends(struct dh_thread *owner, uintptr_t pc);
void DH_HIDDEN dh_visit_reset(void);
/* False: no thread has had a stack there. */
extern DH_HIDDEN uintptr_t dh_stacks_low, dh_stacks_high;
static inline bool dh_stack_maybe(uintptr_t address)
{
	return address >= dh_stacks_low && address < dh_stacks_high;
}

/* A thread has ended and its stack is nobody's; somebody has this memory again; an access at a
 * target statement, which ends the run when it goes to such a stack. */
void DH_HIDDEN dh_stack_died(const struct dh_thread *t);
void DH_HIDDEN dh_stack_reused(uintptr_t low, uintptr_t high);
void DH_HIDDEN dh_stack_check(uintptr_t address, unsigned access, uintptr_t pc);
