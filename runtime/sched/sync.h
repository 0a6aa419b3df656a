/* What atomics and annotations order, on the clocks of their addresses (C11, 5.1.2.4 and 7.17.3).
 * Only the thread that has the turn may call. */
#pragma once
#include "sched/detector.h"

void DH_HIDDEN dh_sync_load(struct dh_actor *a, uintptr_t address, bool acquire);
/* A store begins anew: who reads it knows nothing of earlier ones. */
void DH_HIDDEN dh_sync_store(struct dh_actor *a, uintptr_t address, bool release);
/* An update goes on with the release sequence that it found. */
void DH_HIDDEN dh_sync_update(struct dh_actor *a, uintptr_t address, bool acquire, bool release);
void DH_HIDDEN dh_sync_fence(struct dh_actor *a, bool acquire, bool release);
