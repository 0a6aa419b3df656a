/* Where a jump can be put into running code: the whole instructions that it would cover can all
 * be executed elsewhere, and nothing is seen to branch to the bytes behind its first one.
 *
 * What is looked at is code as bytes; targets of indirect branches (switch tables, landing pads)
 * are not in it.  A caller that must be certain puts its stub at dh_isa_trapping_target(), where
 * such a branch is noticed.  The caller also makes sure that no other thread stands inside.
 * Pure; any thread. */
#pragma once
#include "base/forward.h"

#define DH_WINDOW_MAX_INSNS 5
#define DH_WINDOW_MAX_BYTES 19

/* The surroundings, the more the better: compilers put unlikely parts of a function far away, and
 * looking costs about a nanosecond per byte. */
struct dh_window_code {
	const uint8_t *bytes;
	size_t n;
	uint64_t start;    /* address of bytes[0] */
	uint64_t function; /* where an instruction is known to begin, such as the start of the
			    * function that holds the point; 0: not known */
};

struct dh_window {
	uint64_t pc;
	uint8_t n;        /* instructions displaced */
	uint8_t length;   /* their bytes */
	uint8_t original; /* bytes that the patch replaces or that are displaced: the larger */
	uint8_t insn_length[DH_WINDOW_MAX_INSNS];
	uint8_t bytes[DH_WINDOW_MAX_BYTES]; /* the original ones, for moving and for taking back */
	bool ends;                          /* control never arrives behind the last one */
	bool x87;                           /* one of them leaves its address in the x87 state */
};

/* 0, or
 *   -ENOTSUP: one of the instructions cannot be moved,
 *   -EBUSY:   something branches, returns or may fall into the middle,
 *   -ENODATA: the bytes given end too early. */
int dh_window_choose(const struct dh_window_code *code, uint64_t pc, struct dh_window *ret);

/* True when something in the code is seen to branch to one of the bytes behind the first of the
 * `length` at pc, or when pc is not in it.  For patches that need no window of whole instructions.
 */
bool dh_window_is_entered(const struct dh_window_code *code, uint64_t pc, size_t length);
