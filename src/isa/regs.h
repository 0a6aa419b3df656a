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

/* System calls: number (as it was on entry), arguments 0..5, result. */
int64_t dh_regs_syscall(const struct dh_regs *r);
uint64_t dh_regs_arg(const struct dh_regs *r, int i);
void dh_regs_set_arg(struct dh_regs *r, int i, uint64_t v);
int64_t dh_regs_result(const struct dh_regs *r);
void dh_regs_set_result(struct dh_regs *r, int64_t v);

/* What the program itself can see: without the kernel's own words (orig_ax) and without the
 * trap and resume flags.  Two threads in the same state compare equal. */
bool dh_regs_equal(const struct dh_regs *a, const struct dh_regs *b);
