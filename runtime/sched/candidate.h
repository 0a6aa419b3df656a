/* Candidates on their way into the control block: the same statements are one candidate, however
 * often they are met.  Only the thread that has the turn may call. */
#pragma once
#include <stdint.h>

#include "sched/sched.h"

/* One side; becomes a struct dh_sched_site. */
struct dh_side {
	uintptr_t pc, address;
	uint32_t size, thread;
	uint8_t access; /* enum dh_sched_access */
	uint8_t op;     /* enum dh_sched_op */
	uint8_t role;   /* enum dh_sched_role */
	uint32_t object;
	uint32_t lockset;
	uint32_t stack; /* of frames.h */
};

struct dh_found {
	uint32_t kind, sub, score; /* enum dh_sched_candidate_kind, enum dh_sched_candidate_sub */
	uint32_t nsides;
	struct dh_side side[DH_SCHED_SITES_MAX];
};

void DH_HIDDEN dh_candidate_start(void);
/* Adds it, or counts one more hit.  Stacks and sides are those of the first time. */
void DH_HIDDEN dh_candidate_add(const struct dh_found *found);
/* The whole pc of which a shadow cell has the lower part; `near` is another one, to guess from when
 * no module fits. */
uintptr_t DH_HIDDEN dh_whole_pc(uint32_t lower, uintptr_t near);
