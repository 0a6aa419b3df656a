/* The program's code, as far as patching it needs it. */
#pragma once
#include "base/forward.h"

struct dh_tracee;
struct dh_window;

/* Whether a jump can be put at pc, see isa/window.h: 0, or -errno as dh_window_choose(). */
int dh_code_window(struct dh_tracee *t, uint64_t pc, struct dh_window *ret);
