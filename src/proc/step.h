/* Single steps that the program cannot notice: the trap flag by which the processor steps shows in
 * flags that the program saves meanwhile (pushf, and the system call instruction). */
#pragma once
#include "base/forward.h"

struct dh_tracee;

struct dh_step {
	uint32_t insn; /* DH_INSN_* of the instruction that is stepped */
	uint64_t next; /* the one behind it */
	bool own;      /* the program has set the trap flag by itself */
};

/* Before dh_tracee_resume(t, DH_RESUME_STEP, 0). */
struct dh_step dh_step_prepare(struct dh_tracee *t);
/* At the stop that followed, unless the thread is gone.  0 or -errno. */
int dh_step_clean(const struct dh_step *s, struct dh_tracee *t);
