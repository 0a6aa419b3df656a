/* What the scheduler tells the detector (detect*.c), and what it wants from it.
 *
 * Called with the turn, only while dh_active, and never while the thread's `inside` count lets
 * entry points pass through for another reason.  Each function is cheap when ask.detect is 0. */
#pragma once
#include <stdint.h>

#include "sched/sched.h"

/* Before anything else in a run (behind the fork of the server, before main): ask is set. */
void DH_HIDDEN dh_detect_start(void);
/* The process is about to end: candidates must be in the control block.  The end may turn out to be
 * another one, which is told in the outcome then. */
enum dh_sched_end DH_HIDDEN dh_detect_end(enum dh_sched_end end);

/* parent is NULL for the main thread.  Called by the parent, before the child runs. */
void DH_HIDDEN dh_detect_thread_created(
	struct dh_thread *parent, struct dh_thread *child, uintptr_t pc);
/* By the child: first thing it does, and last (behind its thread-local destructors). */
void DH_HIDDEN dh_detect_thread_started(struct dh_thread *self);
void DH_HIDDEN dh_detect_thread_ended(struct dh_thread *self);
/* By whoever joined it; the slot of `dead` may be used again afterwards. */
void DH_HIDDEN dh_detect_thread_joined(struct dh_thread *self, struct dh_thread *dead);
/* A detached thread is gone; nobody will join it. */
void DH_HIDDEN dh_detect_thread_gone(struct dh_thread *dead);

/* How a lock is taken. */
enum dh_lock_how {
	DH_LOCK_SHARED = 1 << 0, /* as a reader */
	DH_LOCK_TRIED = 1 << 1,  /* would not have blocked: cannot be part of a deadlock */
	DH_LOCK_WAIT = 1 << 2,   /* taken again, or let go, by a wait on a condition variable */
};
/* A lock is about to be taken (it may block), was taken, is about to be given back.  Only for the
 * first acquisition of a recursive lock and for its last release. */
void DH_HIDDEN dh_detect_requested(
	struct dh_thread *self, struct dh_object *lock, unsigned how, uintptr_t pc);
void DH_HIDDEN dh_detect_acquired(
	struct dh_thread *self, struct dh_object *lock, unsigned how, uintptr_t pc);
void DH_HIDDEN dh_detect_releasing(
	struct dh_thread *self, struct dh_object *lock, unsigned how, uintptr_t pc);
/* An interposed call reads or writes this memory of the program (read(2), ...). */
void DH_HIDDEN dh_detect_memory(
	struct dh_thread *self, const void *address, size_t size, bool write, uintptr_t pc);

/* Messages through an object: semaphores, barriers, once, annotations.  Everything before send()
 * happens before everything behind receive() of the same object. */
void DH_HIDDEN dh_detect_send(struct dh_thread *self, struct dh_object *obj);
void DH_HIDDEN dh_detect_receive(struct dh_thread *self, struct dh_object *obj);
/* A message from one thread to one other that is not running: signal of a condition variable. */
void DH_HIDDEN dh_detect_hand_over(struct dh_thread *from, struct dh_thread *to);
/* The object at this address is about to be used: its memory must be there. */
void DH_HIDDEN dh_detect_object_used(uint64_t address, enum dh_object_kind kind, uintptr_t pc);
/* It is used, or (write) it begins or ends. */
void DH_HIDDEN dh_detect_object(struct dh_thread *self, uint64_t address, bool write, uintptr_t pc);
/* The object is destroyed; obj->detect must not be used again. */
void DH_HIDDEN dh_detect_object_gone(struct dh_object *obj);

/* A handler of the program begins or ends on this thread.  `from` is where the signal was sent (0:
 * not known); own: by this thread itself. */
void DH_HIDDEN dh_detect_handler_enter(struct dh_thread *self, int sig, uintptr_t from, bool own);
void DH_HIDDEN dh_detect_handler_leave(struct dh_thread *self);
/* longjmp() to this stack pointer: it may leave handlers. */
void DH_HIDDEN dh_detect_jumped(struct dh_thread *self, uintptr_t sp);
/* The signal was sent, will be sent by a timer, or its handler installed: before any handler. */
void DH_HIDDEN dh_detect_signal_sent(struct dh_thread *self, int sig);
/* No handler will run from now on. */
void DH_HIDDEN dh_detect_signal_off(struct dh_thread *self, int sig);
/* A thread blocks a signal that has a handler, or lets it through again. */
void DH_HIDDEN dh_detect_signal_masked(struct dh_thread *t, int sig, bool on);

/* In the child of a fork: only self is left. */
void DH_HIDDEN dh_detect_forked(struct dh_thread *self);

/* The call stack of a thread, innermost first, from its instrumented functions; `pc` (0: none) is
 * put in front.  Returns how many were written. */
uint32_t DH_HIDDEN dh_detect_stack(
	const struct dh_thread *thread, uintptr_t pc, uint64_t *ret, uint32_t max);
