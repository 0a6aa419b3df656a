/* Hardware breakpoints and watchpoints of one thread: four slots. */
#pragma once
#include "base/forward.h"

struct dh_tracee;

enum dh_hwbreak_kind { DH_HWBREAK_EXEC, DH_HWBREAK_WRITE, DH_HWBREAK_ACCESS };

#define DH_HWBREAK_SLOTS 4

/* len: 1, 2, 4 or 8, addr aligned to it; 1 for EXEC.  0 or -errno. */
int dh_hwbreak_set(
	struct dh_tracee *t, int slot, enum dh_hwbreak_kind kind, uint64_t addr, unsigned len);
int dh_hwbreak_clear(struct dh_tracee *t, int slot);
/* Bits of the slots that caused the last trap, which are then reset. */
int dh_hwbreak_hits(struct dh_tracee *t, unsigned *ret);
