/* Instructions that draw random numbers from the processor: neither the kernel nor a tracer sees
 * them pass.  A recorder replaces them by breakpoints and draws itself.
 * Pure: works on the bytes of a file. */
#pragma once
#include "base/forward.h"

struct dh_regs;

/* The places in an executable or a library, which is untrusted.  Only what is certain: bytes that
 * look like such an instruction and that one reaches by decoding from the beginning of their
 * function, as the tables for unwinding have it.  Offsets in the file; how many were stored. */
int dh_random_sites(const uint8_t *file, size_t n, uint64_t *ret, int max);

/* The byte that a breakpoint consists of. */
#define DH_RANDOM_TRAP 0xcc

/* What the instruction, whose bytes (at least 5 where they are to be had) are given, does to a
 * thread that stands on it when the processor draws `value`.  False: it is another instruction. */
bool dh_random_finish(struct dh_regs *regs, const uint8_t *bytes, size_t n, uint64_t value);
