/* Fixed addresses inside every recorded and replayed process.
 * The landing area is mapped right after exec, at the same place in both, below everything that
 * the kernel or a linker would choose by itself.  It is not part of the program's state: hashes
 * and comparisons of memory leave it out. */
#pragma once
#include <stdint.h>

#define DH_LANDING_START 0x70000000ull
/* Code page: "syscall; int3".  The seccomp filter lets a call from here pass without a stop. */
#define DH_LANDING_CODE    DH_LANDING_START
#define DH_LANDING_SYSCALL DH_LANDING_CODE
/* What the kernel reports as the instruction pointer of that call. */
#define DH_LANDING_SYSCALL_END (DH_LANDING_CODE + 2)
/* Scratch page: strings and structures that injected calls point to. */
#define DH_LANDING_SCRATCH      (DH_LANDING_START + 0x1000)
#define DH_LANDING_SCRATCH_SIZE 0x1000ull
#define DH_LANDING_END          (DH_LANDING_START + 0x100000)
