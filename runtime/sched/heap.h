/* The program's heap during a run: blocks that are found again from any address inside them, with
 * the stacks of their allocation and release.
 *
 * Blocks of one size stand in regions of their own, so that addresses depend on nothing but the
 * sequence of calls: two runs with one schedule have the same.  With DH_DETECT_HEAP freed blocks
 * are filled with a pattern and wait in a quarantine; what writes into them there, what uses them
 * at all in instrumented code, and what frees them again, ends the run.
 * Any thread may allocate; the rest is for the thread that has the turn. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/sched.h"

/* Always at the same place, so that an access costs no look for it.  Behind it is a map with one
 * byte for each 16 of the heap: not 0 when it is freed. */
#define DH_HEAP_BASE UINT64_C(0x680000000000)
#define DH_HEAP_MAX  (UINT64_C(1) << 36)
#define DH_HEAP_MAP  (DH_HEAP_BASE + DH_HEAP_MAX)

/* False: the program uses the C library's. */
extern DH_HIDDEN bool dh_heap_there;

static inline bool dh_heap_has(const void *p)
{
	return (uintptr_t)p - DH_HEAP_BASE < DH_HEAP_MAX && dh_heap_there;
}

static inline bool dh_heap_freed(uintptr_t address)
{
	return __builtin_expect(address - DH_HEAP_BASE < DH_HEAP_MAX, 0) && dh_heap_there &&
	       *(const uint8_t *)(DH_HEAP_MAP + ((address - DH_HEAP_BASE) >> 4));
}

/* NULL: no memory.  `align` is a power of two. */
void DH_HIDDEN *dh_heap_alloc(size_t size, size_t align, bool zero, uintptr_t pc);
/* The address is in the heap.  A block that is not there to be freed ends the run. */
void DH_HIDDEN dh_heap_free(void *p, uintptr_t pc);
/* What was asked for; 0 when the address is not that of a block that lives. */
size_t DH_HIDDEN dh_heap_block_size(const void *p);
/* Makes it smaller or larger where it is; false: it has to move. */
bool DH_HIDDEN dh_heap_resize(void *p, size_t size);
/* True when all allocations go here: a run was asked for. */
bool DH_HIDDEN dh_heap_ready(void);

/* An instrumented access hit freed memory; returns only when that is not asked for. */
void DH_HIDDEN dh_heap_used_after_free(uintptr_t pc, uintptr_t address, unsigned access);
/* True when something in quarantine was written to: that is told, with the stack of its release. */
bool DH_HIDDEN dh_heap_damaged(struct dh_sched_outcome *ret);
/* Block and stacks of an address in the heap; false: it is not in a block. */
bool DH_HIDDEN dh_heap_describe(uintptr_t address, struct dh_sched_candidate *c);
