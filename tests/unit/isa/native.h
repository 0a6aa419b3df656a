/* Runs instructions natively with chosen registers and tells what they did: the tests here check
 * the decoder and the code generators against the processor itself.
 *
 * Entering and leaving goes through signals: a trap whose handler replaces the whole context, and
 * the trap or fault that ends the run, whose handler records it.  So all registers are free to
 * use, the stack pointer included.  One thread only. */
#pragma once
#include "base/forward.h"
#include "isa/regs.h"

#define NATIVE_XMM 256

struct native_state {
	struct dh_regs regs; /* pc, flags and the 16 general ones are used */
	uint8_t xmm[NATIVE_XMM];
};

struct native_result {
	struct native_state state; /* pc: of the instruction that trapped or faulted */
	int signal;
	uint64_t fault; /* address, for SIGSEGV and SIGBUS */
	bool has_fault; /* false: the processor did not say which address */
};

/* The ways a run may be seen on the way: called at each breakpoint (pc at the breakpoint itself)
 * and, while the trap flag is set, before each instruction.  True: go on with *state, as changed;
 * false: the run ends here. */
typedef bool (*native_on_trap)(struct native_state *state, void *arg);

/* Takes the signals over; to be called inside a test, since cmocka sets its own handlers first. */
void native_init(void);
/* Runs until a signal that on_trap (may be NULL) does not take. */
void native_run(const struct native_state *in, native_on_trap on_trap, void *arg,
	struct native_result *ret);

/* Memory for code or data, filled with breakpoints or zero. */
uint8_t *native_map(size_t size, int prot);

/* Data in the middle of 8 GiB where nothing else is: stray accesses fault instead of hitting the
 * test itself. */
uint8_t *native_map_guarded(size_t size);
/* Running this access cannot touch anything but such data. */
bool native_is_safe(uint64_t addr, uint64_t size);

uint64_t native_random(void);
void native_seed(uint64_t seed);
/* Registers with values that are often interesting: small, all ones, or pointers into [p, p+n). */
void native_random_state(struct native_state *s, const uint8_t *p, size_t n);
/* Random bytes that look like an instruction more often than noise does. */
void native_random_insn(uint8_t bytes[15]);
