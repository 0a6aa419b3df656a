/* Which locks were asked for while which others were held, and the cycles in it: deadlocks that a
 * different schedule could bring about.
 *
 * A cycle of requests is a candidate when its members come from different threads, no lock is held
 * by two of them (a gate lock that keeps them apart), and no two are ordered by happens-before:
 * what starts a thread, or what is joined, cannot wait in a circle.
 * Only the thread that has the turn may call.  Pure but for its memory. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "sched/vc.h"

#define DH_CYCLE_MAX 8

struct dh_request {
	uint32_t thread, slot; /* who, and its component in vector clocks */
	uint32_t lock;         /* what it asks for */
	bool shared;           /* as a reader */
	uint32_t held;         /* lockset, not empty */
	uintptr_t pc;
	uint32_t stack; /* of frames.h */
};

/* vc is what the thread knows now.  Equal requests are kept once. */
void dh_lockgraph_add(const struct dh_request *r, const struct dh_vc *vc);
/* True: an equal one is there already, and does not need a new stack. */
bool dh_lockgraph_known(const struct dh_request *r, const struct dh_vc *vc);
/* Calls for each cycle, shortest first; member i asks for what member i + 1 holds.  Returns how
 * many requests had no room. */
uint64_t dh_lockgraph_cycles(
	void (*found)(const struct dh_request **member, uint32_t n, void *arg), void *arg);
void dh_lockgraph_reset(void);
