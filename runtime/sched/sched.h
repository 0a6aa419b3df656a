/* The scheduler inside the program under test, as the rest of the runtime sees it.
 *
 * One thread of the program runs at a time: it "has the turn".  All state of the runtime belongs to
 * whoever has the turn, so nothing here needs a lock; code that runs without it (a thread that is
 * on its way back from a system call) touches nothing but its own struct dh_thread.  Every function
 * below is to be called with the turn, from a thread of the program, and keeps errno.
 *
 * Outside of `deadheat fuzz` nothing is scheduled: dh_active is false, dh_self is NULL in every
 * thread, and all entry points pass through. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/sched.h"

#define DH_HIDDEN      __attribute__((visibility("hidden")))
#define DH_EXPORT      __attribute__((visibility("default")))
#define DH_TLS         __thread __attribute__((tls_model("initial-exec"), visibility("hidden")))
#define dh_likely(x)   __builtin_expect(!!(x), 1)
#define dh_unlikely(x) __builtin_expect(!!(x), 0)
/* Where the call of the entry point that this stands in returns to: the "pc" of a statement. */
#define DH_CALLER() ((uintptr_t)__builtin_return_address(0))

enum dh_object_kind {
	DH_OBJECT_NONE,
	DH_OBJECT_MUTEX,
	DH_OBJECT_RWLOCK,
	DH_OBJECT_SPIN,
	DH_OBJECT_COND,
	DH_OBJECT_SEM,
	DH_OBJECT_BARRIER,
	DH_OBJECT_ONCE,
	DH_OBJECT_FUTEX,
	DH_OBJECT_CHANNEL, /* a pipe or socket, by the number of its lower descriptor */
	DH_OBJECT_USER,    /* annotated by the program: __tsan_mutex_*, AnnotateRWLock* */
};

#define DH_OBJECT_ORDERS 1u /* a lock that orders what stands under it, by annotation */

/* A synchronisation object, known by its address from its first use until it is destroyed or its
 * memory is freed. */
struct dh_object {
	uint64_t address;
	uint32_t id;   /* ordinal in the run, from 1; never reused */
	uint8_t kind;  /* enum dh_object_kind */
	uint8_t flags; /* DH_OBJECT_ORDERS */
	uint16_t readers;
	struct dh_thread *owner; /* holds it exclusively */
	uintptr_t reader_xor; /* of the addresses of those that share it: one is left, it is the one
			       */
	uint32_t depth;       /* how often the owner took it */
	uint32_t count;       /* barrier: how many it takes */
	uint64_t acquired_pc;
	uint32_t round;                             /* barrier: generation */
	struct dh_task *first_waiter, *last_waiter; /* blocked on it, oldest first */
	void *detect; /* of detect: sync clock and lock id; NULL at first */
	struct dh_object *chain;
};

/* A thread of the program.  The first line is what each instrumented access touches. */
struct dh_thread {
	int64_t budget;  /* accesses until the next forced point */
	uint64_t cell;   /* of detect: the present segment, in its place in a shadow cell */
	uint32_t ignore; /* deadheat_ignore_begin() depth: accesses are not looked at */
	uint32_t inside; /* > 0: runtime code is active, entry points pass through */
	uint32_t id;     /* 0 is the main thread; never reused in a run */
	uint32_t slot;   /* small number, reused after the thread was joined or is gone */
	void *detect;    /* of detect; NULL at first */
	void *stack_low, *stack_high;
};

/* The mapped control block; NULL when not active. */
extern DH_HIDDEN struct dh_sched_ctl *dh_ctl;
/* True between the start of a run (just before main) and its end. */
extern DH_HIDDEN bool dh_active;
/* Bytes that are not 0 for (hashes of) the pcs of targets. */
#define DH_WATCH_SIZE 4096
extern DH_HIDDEN uint8_t dh_watch[DH_WATCH_SIZE];
/* This thread, or NULL: not a thread that is scheduled. */
extern DH_TLS struct dh_thread *dh_self;

static inline bool dh_watched(uintptr_t pc)
{
	return dh_watch[(pc ^ pc >> 12) % DH_WATCH_SIZE] != 0;
}

/* A thread is about to access memory at a statement that may be a target: the place of Algorithm 1.
 * Returns when the thread may go on. */
void DH_HIDDEN dh_sched_at_statement(
	uintptr_t pc, const volatile void *address, size_t size, unsigned access);
/* The budget of accesses is used up: gives way, so that a thread that spins does not starve those
 * that it waits for. */
void DH_HIDDEN dh_sched_budget(uintptr_t pc);

/* For each instrumented plain access, before it happens (and before its shadow is updated). */
static inline void dh_sched_access(struct dh_thread *self, uintptr_t pc,
	const volatile void *address, size_t size, unsigned access)
{
	if (dh_unlikely(dh_watched(pc)))
		dh_sched_at_statement(pc, address, size, access);
	if (dh_unlikely(--self->budget < 0))
		dh_sched_budget(pc);
}

/* For each atomic access and fence (address NULL), before it happens: a scheduling point, and a
 * target statement like any other.  Loops that wait for a change are recognised here. */
void DH_HIDDEN dh_sched_atomic(
	uintptr_t pc, const volatile void *address, size_t size, unsigned access);
/* A scheduling point of any other kind; obj may be NULL. */
void DH_HIDDEN dh_sched_point(enum dh_sched_op op, struct dh_object *obj, uintptr_t pc);

/* The object at this address, made at its first use.  With another kind than before, it is a new
 * object. */
struct dh_object DH_HIDDEN *dh_object_get(const volatile void *address, enum dh_object_kind kind);
/* Memory was freed or unmapped: objects in it are gone.  Cheap when there are none. */
void DH_HIDDEN dh_object_memory_gone(const volatile void *address, size_t size);

/* The thread with this id, also after its end; NULL when it is not known. */
struct dh_thread DH_HIDDEN *dh_thread_by_id(uint32_t id);
/* The thread whose stack holds the address, or NULL. */
struct dh_thread DH_HIDDEN *dh_thread_by_stack(const volatile void *address);

/* Ends the run: outcome, then exit of the process with DH_SCHED_EXIT.  text may be NULL. */
_Noreturn void DH_HIDDEN dh_sched_stop(
	enum dh_sched_end end, uintptr_t pc, const volatile void *address, const char *text);
