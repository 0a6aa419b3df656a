/* Call stacks of the program's threads, as its instrumented functions tell (__tsan_func_entry), and
 * the store of stacks that somebody wants to keep.
 *
 * A frame holds where a function returns to.  The frames belong to the thread that runs; others may
 * be read by whoever has the turn. */
#pragma once
#include <stdint.h>

#include "sched/sched.h"

struct dh_call {
	uintptr_t pc;
	uintptr_t sp; /* of the caller, to see what longjmp() leaves behind */
};

struct dh_frames {
	struct dh_call *top, *limit, *base;
	uint32_t beyond; /* calls that had no room */
};

extern DH_TLS struct dh_frames dh_frames;

#define DH_STACK_NONE 0u

/* Gives the calling thread frames / takes them away. */
void DH_HIDDEN dh_frames_attach(struct dh_frames *f);
void DH_HIDDEN dh_frames_detach(struct dh_frames *f);
/* Functions below this stack pointer were left by longjmp(). */
void DH_HIDDEN dh_frames_unwind(struct dh_frames *f, uintptr_t sp);
/* Innermost first, pc (0: none) in front; returns how many. */
uint32_t DH_HIDDEN dh_frames_read(
	const struct dh_frames *f, uintptr_t pc, uint64_t *ret, uint32_t max);

/* The number of a stack that is kept; equal stacks have the same. */
uint32_t DH_HIDDEN dh_stack_keep(const struct dh_frames *f, uintptr_t pc);
/* Into the control block; an empty stack for DH_STACK_NONE. */
void DH_HIDDEN dh_stack_write(uint32_t stack, uint32_t thread, struct dh_sched_stack *ret);
