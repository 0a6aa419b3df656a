/* What this CPU says about itself to a program: programs and libraries choose their code by it, so
 * a recording replays only where it is the same. */
#pragma once
#include "base/forward.h"

struct dh_cpu {
	char vendor[16];
	char model[64];
	char features[1024];  /* instructions that programs can use, separated by spaces */
	uint64_t id;          /* hash of everything it says, without the number of the core */
	uint32_t xstate_size; /* bytes of extended state that the kernel has enabled */
};

void dh_cpu_read(struct dh_cpu *ret);
