/* Registers as gdb's remote protocol carries them: the description of the target (target.xml), and
 * the bytes of each register in the order of that description.  Pure; any thread. */
#pragma once
#include "base/forward.h"

struct dh_regs;
struct dh_xstate_layout;

/* No set of registers described here is larger. */
#define DH_GDBREGS_MAX 2048

/* What there is to read: the registers of one thread. */
struct dh_gdbregs {
	const struct dh_xstate_layout *layout;
	const struct dh_regs *regs;
	const uint8_t *xstate; /* as PTRACE_GETREGSET gives it; what lies outside counts as zero */
	size_t xstate_size;
};

/* Appends target.xml: vector registers only as far as the layout has them. */
void dh_gdbregs_describe(const struct dh_xstate_layout *layout, struct dh_buf *out);
/* All registers; the number of bytes written to ret. */
size_t dh_gdbregs_all(const struct dh_gdbregs *g, uint8_t ret[DH_GDBREGS_MAX]);
/* Register number i alone; the number of bytes, 0 when there is no such register. */
size_t dh_gdbregs_one(const struct dh_gdbregs *g, unsigned i, uint8_t ret[16]);
