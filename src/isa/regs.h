/* The registers of one thread, as an opaque value.  Only files in this folder know the layout,
 * which is the kernel's (NT_PRSTATUS), so that ptrace fills it as it is. */
#pragma once
#include "base/forward.h"

#define DH_REGS_WORDS 27

struct dh_regs {
	uint64_t word[DH_REGS_WORDS];
};

uint64_t dh_regs_pc(const struct dh_regs *r);
void dh_regs_set_pc(struct dh_regs *r, uint64_t pc);
uint64_t dh_regs_sp(const struct dh_regs *r);
void dh_regs_set_sp(struct dh_regs *r, uint64_t sp);
/* Where the thread's own data is. */
uint64_t dh_regs_thread(const struct dh_regs *r);

/* System calls: number (as it was on entry), arguments 0..5, result. */
int64_t dh_regs_syscall(const struct dh_regs *r);
uint64_t dh_regs_arg(const struct dh_regs *r, int i);
void dh_regs_set_arg(struct dh_regs *r, int i, uint64_t v);
int64_t dh_regs_result(const struct dh_regs *r);
void dh_regs_set_result(struct dh_regs *r, int64_t v);

/* In the order that debug information uses, the program counter last (sym/unwind.h). */
#define DH_REGS_DWARF 17
void dh_regs_dwarf(const struct dh_regs *r, uint64_t ret[DH_REGS_DWARF]);

/* What the program itself can see: without the kernel's own words (orig_ax) and without the
 * trap and resume flags.  Two threads in the same state compare equal. */
bool dh_regs_equal(const struct dh_regs *a, const struct dh_regs *b);

/* 64 bits that differ when dh_regs_equal() would not hold. */
uint64_t dh_regs_hash(const struct dh_regs *r);

/* Prepares a thread to perform a system call from the instruction at `at`.  Whatever call it may
 * be in the middle of entering is given up. */
void dh_regs_begin_syscall(struct dh_regs *r, int64_t nr, const uint64_t args[6], uint64_t at);
/* At an entry stop: the kernel then skips the call and returns to the program with `result`.
 * At any other stop: makes sure that the kernel does not take the state for an interrupted call. */
void dh_regs_finish_syscall(struct dh_regs *r, int64_t result);
/* At an entry stop: changes which call the kernel will perform. */
void dh_regs_change_syscall(struct dh_regs *r, int64_t nr);
/* Back to just before the system call instruction, ready to perform call nr again. */
void dh_regs_restart_syscall(struct dh_regs *r, int64_t nr);
/* The results of reading the time stamp counter with the instruction of `length` bytes. */
void dh_regs_finish_tsc(struct dh_regs *r, uint64_t tsc, uint32_t aux, int length);
/* Clears the trap flag that a debugger's single step leaves in saved registers. */
void dh_regs_clear_trap(struct dh_regs *r);
bool dh_regs_trap(const struct dh_regs *r);
/* The same for the copy of the flags that a system call instruction has saved. */
void dh_regs_clear_saved_trap(struct dh_regs *r);
/* From just before a system call instruction to what a tracer sees at the entry of that call. */
void dh_regs_enter_syscall(struct dh_regs *r);
/* The number of the call that the instruction at pc would make. */
int64_t dh_regs_next_syscall(const struct dh_regs *r);
uint64_t dh_regs_flags(const struct dh_regs *r);
void dh_regs_set_flags(struct dh_regs *r, uint64_t v);
/* What comparing the result with a constant does to the flags; narrow: only its low half. */
void dh_regs_compare_result(struct dh_regs *r, int32_t with, bool narrow);
/* The state behind a system call instruction that ends at `end`: where it goes on, and what the
 * processor keeps of it. */
void dh_regs_set_call_end(struct dh_regs *r, uint64_t end);
