/* Saving the vector state in user space is not deterministic: XSAVE and XSAVEC write what the
 * processor keeps note of as "in use", and that note depends on when the kernel switched away from
 * the thread.  The dynamic linker does it at the first call of each function, and what it leaves on
 * the stack would then differ from run to run. */
#pragma once
#include "base/forward.h"

/* Makes each save and its restore, in code of the dynamic linker, use FXSAVE and FXRSTOR, which are
 * exact and of the same length.  The upper halves of wide registers are then not saved; the linker
 * does not touch them.  Returns how many pairs were changed. */
size_t dh_steady_saves(uint8_t *code, size_t len);
