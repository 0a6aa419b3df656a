/* Finding one visit of a point in a program among millions: a piece of code that the program runs
 * at each visit, which compares its state with the expected one and traps when all of it matches.
 *
 * The point's first bytes are patched with a jump to the stub (isa/window.h, isa/relocate.h).  On
 * a mismatch the stub runs the displaced instructions and jumps back.  On a match it executes a
 * breakpoint with all registers, flags and vector state as they were at the point, except for the
 * program counter.  It uses no stack, so that the red zone stays as it is, and never changes a
 * flag.  A visit that fails the first test costs about a nanosecond: put the value that changes
 * most between visits first.
 *
 * The stub's data must be private to one thread at a time.  Pure: the caller copies the code to
 * the process.  Any thread. */
#pragma once
#include "base/forward.h"
#include "isa/window.h"

struct dh_regs;
struct dh_xstate_layout;

/* The entry's offset in the code.  The data must be readable and writable, aligned to 64, and
 * within 2 GiB of the code. */
#define DH_STUB_ENTRY     16
#define DH_STUB_DATA_SIZE 1024
#define DH_STUB_REG_TESTS 17

enum dh_stub_kind {
	DH_STUB_REG,    /* a general register */
	DH_STUB_FLAGS,  /* the arithmetic flags */
	DH_STUB_MEM,    /* memory, which must be readable; see dh_stub_skip() */
	DH_STUB_XSTATE, /* a piece of the extended state, as dh_xstate_differences() finds them */
};

struct dh_stub_test {
	enum dh_stub_kind kind;
	uint8_t size;   /* memory and extended state: 1, 2, 4 or 8 bytes */
	uint64_t where; /* word of struct dh_regs, address, or offset in the extended state */
	uint64_t value; /* what it must be there */
};

/* Tests for all general registers and the flags. */
void dh_stub_reg_tests(const struct dh_regs *want, struct dh_stub_test ret[DH_STUB_REG_TESTS]);

struct dh_stub_moved {
	uint64_t from, at;
	uint32_t size;
};

struct dh_stub {
	uint64_t pc;     /* the point */
	uint64_t entry;  /* where the patched jump must lead */
	uint64_t trap;   /* of the breakpoint; behind it, execution goes on as after a mismatch */
	uint64_t resume; /* the displaced instructions: for going on with all registers in place */
	uint64_t saved;  /* address of the word in the data that dh_stub_skip() asks for */
	uint64_t tests;  /* where the tests after the first begin; the code ends at `end` */
	uint64_t end;
	uint8_t n_moved;
	struct dh_stub_moved moved[DH_WINDOW_MAX_INSNS];
};

/* Writes the stub for the point of window w, to be placed at code_at with its data at data_at.
 * No test: every visit traps.  layout is needed for DH_STUB_XSTATE only.
 * The size of the code, or
 *   -ENOTSUP: a displaced instruction cannot be moved, or a test of that kind cannot be made,
 *   -ERANGE:  code, data and the program are too far apart,
 *   -EINVAL:  data_at is not aligned, a test makes no sense,  -ENOSPC: size is too small. */
int dh_stub_build(const struct dh_window *w, const struct dh_stub_test *tests, size_t n,
	const struct dh_xstate_layout *layout, uint64_t code_at, uint64_t data_at, uint8_t *out,
	size_t size, struct dh_stub *ret);

/* A thread faulted in the stub because a test read memory that is gone by now: makes the visit a
 * mismatch.  saved is the word at stub->saved.  False: its pc is not in the tests, and regs are
 * untouched. */
bool dh_stub_skip(const struct dh_stub *s, uint64_t saved, struct dh_regs *regs);

/* The original address of the displaced instruction that lies at pc in the stub; the point for
 * entry and trap; 0: none of these. */
uint64_t dh_stub_original(const struct dh_stub *s, uint64_t pc);
/* Where the displaced instruction from that original address lies now, or 0: for branches into
 * the middle of the patch. */
uint64_t dh_stub_moved_to(const struct dh_stub *s, uint64_t from);
