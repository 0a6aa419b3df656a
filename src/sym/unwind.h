/* Stacks: from registers and memory to return addresses, by the unwind tables of the modules. */
#pragma once
#include "base/forward.h"
#include "model/site.h"

struct dh_sym;

#define DH_UNWIND_REGS       17 /* in the order of DWARF: dh_regs_dwarf() */
#define DH_UNWIND_MAX_FRAMES 256

struct dh_unwind_frame {
	uint64_t pc;
	bool is_return; /* execution will come back to pc: the call lies before it */
};

/* Where memory comes from: a live process, a recording.  Reads all n bytes or returns -errno. */
typedef int (*dh_unwind_read)(void *arg, uint64_t addr, void *ret, size_t n);

/* The stack of a thread with these registers, innermost first; at most max frames.  The number of
 * frames, at least 1 (the registers' own pc): where tables or memory end, the stack ends. */
size_t dh_sym_unwind(struct dh_sym *s, const uint64_t regs[DH_UNWIND_REGS], dh_unwind_read read,
	void *arg, struct dh_unwind_frame *ret, size_t max);

/* The same with names and lines, inlined calls included; lives in arena, its strings in s. */
struct dh_stack dh_sym_stack(
	struct dh_sym *s, const struct dh_unwind_frame *frames, size_t n, struct dh_arena *arena);
