/* The frame that the kernel builds for a signal handler: where the program goes on afterwards. */
#pragma once
#include "base/forward.h"

struct dh_regs;
struct dh_tracee;

/* `frame` is the stack pointer at the handler's first instruction.  Of *ret the pc, the result
 * register and the flags are set.  0 or -EFAULT. */
int dh_frame_get(struct dh_tracee *t, uint64_t frame, struct dh_regs *ret);
/* The signals that will be blocked again when the handler has returned, from a copy of the frame's
 * first n bytes: 0, or -ENODATA when these do not reach so far. */
int dh_frame_mask(const uint8_t *frame, size_t n, uint64_t *ret);
/* Puts pc and flags back. */
int dh_frame_set(struct dh_tracee *t, uint64_t frame, const struct dh_regs *regs);
