/* The extended (floating-point and vector) state of a thread, as PTRACE_GETREGSET with
 * NT_X86_XSTATE gives it: the standard, not compacted, format of the processor.
 *
 * Two areas that mean the same may differ in their bytes: a component whose bit in the header is
 * clear is in its initial state whatever its bytes say; addresses of the last x87 instruction and
 * reserved bytes are not state that a replay can or must reproduce.  All functions here see
 * through that.  Pure but for the two that ask the processor; any thread.
 *
 * Areas come from files and other processes: what lies outside of the given size counts as
 * initial. */
#pragma once
#include "base/forward.h"

#define DH_XSTATE_COMPONENTS 32
#define DH_XSTATE_MAX_SIZE   16384 /* larger areas do not exist; callers may refuse them */

/* Where each component lies.  Processors differ, so a recording carries the layout it used. */
struct dh_xstate_layout {
	uint32_t offset[DH_XSTATE_COMPONENTS]; /* 0: absent; the first two are always there */
	uint32_t size[DH_XSTATE_COMPONENTS];
};

/* The layout of this machine. */
void dh_xstate_layout_host(struct dh_xstate_layout *ret);
/* The bytes that saving the components in mask touches at most on this machine. */
uint32_t dh_xstate_host_size(uint64_t mask, bool compact);

/* The same for the program: it could not tell them apart. */
bool dh_xstate_equal(const struct dh_xstate_layout *l, const void *a, size_t a_size, const void *b,
	size_t b_size);
/* Equal areas have equal hashes. */
uint64_t dh_xstate_hash(const struct dh_xstate_layout *l, const void *area, size_t size);

/* A piece of an area that can be tested by itself. */
struct dh_xstate_word {
	uint32_t offset; /* as in the standard format */
	uint8_t size;    /* bytes: 1, 2, 4 or 8 */
	uint64_t value;
};

/* The pieces of `want` that `got` has otherwise, with the values wanted; at most max.
 * The number written. */
size_t dh_xstate_differences(const struct dh_xstate_layout *l, const void *want, size_t want_size,
	const void *got, size_t got_size, struct dh_xstate_word *ret, size_t max);
