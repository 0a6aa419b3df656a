/* Which bytes of memory the next instruction of a thread touches, from its registers.
 * Pure; any thread. */
#pragma once
#include "base/forward.h"

struct dh_insn;
struct dh_regs;

struct dh_mem_access {
	uint64_t addr;
	uint64_t size;
	bool read, write;
	bool partial; /* an upper bound: masks, early ends of searches, saved state */
};

/* All accesses of insn when it starts with these registers, with counts and direction of string
 * operations applied (nothing for a count of 0).  Bytes below and above a wrap of the address
 * space are not split.  ret has room for DH_INSN_MAX_MEM.
 * The number of accesses, or -ENOTSUP when the addresses cannot be told from general registers
 * (gathers, tiles, nested frames, unknown instructions). */
int dh_mem_accesses(
	const struct dh_insn *insn, const struct dh_regs *regs, struct dh_mem_access *ret);
