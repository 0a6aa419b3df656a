/* Moving instructions: the same effect from another address.
 *
 * A moved call pushes the original return address, so that backtraces and the return itself see
 * original code.  What remains visible of the move: the address of a fault inside moved code, the
 * return address already pushed when an indirect call faults, the x87 unit's record of its last
 * instruction (DH_INSN_X87), and the processor's prediction of returns (slower, not wrong).
 * Pure: nothing is patched here, only written to the caller's buffer.  Any thread. */
#pragma once
#include "base/forward.h"

#define DH_RELOCATE_MAX           32 /* one moved instruction is never longer */
#define DH_ISA_JUMP_SIZE          5
#define DH_ISA_JUMP_ABSOLUTE_SIZE 14

/* Writes the instruction at bytes[0], which lies at `from`, for execution at `to`; execution goes
 * on right behind the written code where it would have gone on behind the instruction.
 * The size written, or
 *   -ENOTSUP: what it does depends on its place or must be seen by a tracer (system calls, traps,
 *             clocks, calls through memory that is not relative to the code, ...), or not known,
 *   -ERANGE:  the data it names is out of reach from there,
 *   -ENODATA: n bytes end inside it,  -ENOSPC: size is too small. */
int dh_relocate(
	const uint8_t *bytes, size_t n, uint64_t from, uint64_t to, uint8_t *out, size_t size);

/* A direct jump.  0, or -ERANGE beyond 2 GiB. */
int dh_isa_jump(uint64_t from, uint64_t to, uint8_t ret[DH_ISA_JUMP_SIZE]);
/* A jump from anywhere to anywhere. */
void dh_isa_jump_absolute(uint64_t to, uint8_t ret[DH_ISA_JUMP_ABSOLUTE_SIZE]);

/* Places so chosen that of a direct jump there every byte but the first traps (SIGTRAP, or SIGILL
 * with nothing executed) when it is run as an instruction: a branch into the middle of the patch
 * is then noticed and can be redirected, instead of running off.  i counts the choices, nearer
 * ones below first; 0 means that choice i lies outside of user space. */
#define DH_ISA_TRAPPING_TARGETS 256
uint64_t dh_isa_trapping_target(uint64_t from, unsigned i);
