/* Fixed addresses inside every recorded and replayed process.
 * The landing area is mapped right after exec, at the same place in both, below everything that
 * the kernel or a linker would choose by itself.  It is not part of the program's state: hashes
 * and comparisons of memory leave it out.  Also read by the assembler. */
#pragma once
#ifdef __ASSEMBLER__
#define DH_ADDRESS(a) a
#else
#include <stdint.h>
#define DH_ADDRESS(a) a##ull
#endif

#define DH_LANDING_START DH_ADDRESS(0x70000000)
/* Code: "syscall; int3", then the buffer's code (wire/buffer.h).  The seccomp filter lets a call
 * from here pass without a stop. */
#define DH_LANDING_CODE    DH_LANDING_START
#define DH_LANDING_SYSCALL DH_LANDING_CODE
/* What the kernel reports as the instruction pointer of that call. */
#define DH_LANDING_SYSCALL_END (DH_LANDING_CODE + 2)
/* Several calls in one go, each a struct dh_landing_call in the scratch page; then "int3".  The
 * first argument is the first of them, the second the end of the last. */
#define DH_LANDING_BATCH (DH_LANDING_CODE + 0x1b0)
/* Code that is made while the program runs: one trampoline for each patched place. */
#define DH_LANDING_TRAMPOLINES (DH_LANDING_START + 0x10000)
/* From here on it is data. */
#define DH_LANDING_DATA (DH_LANDING_START + 0x18000)
/* Scratch page: strings and structures that injected calls point to. */
#define DH_LANDING_SCRATCH      DH_LANDING_DATA
#define DH_LANDING_SCRATCH_SIZE 0x1000
/* The buffer: struct dh_buffer_area. */
#define DH_LANDING_AREA (DH_LANDING_DATA + 0x1000)
#define DH_LANDING_END  (DH_LANDING_START + 0x100000)

#ifndef __ASSEMBLER__
struct dh_landing_call {
	int64_t nr;
	uint64_t arg[6];
	int64_t result;
};
#define DH_LANDING_CALLS (DH_LANDING_SCRATCH_SIZE / 64)
_Static_assert(sizeof(struct dh_landing_call) == 64, "");
#endif
