/* What each instrumented access does: the hot path of every run.  Inline in the entry points. */
#pragma once
#include "sched/detector.h"
#include "sched/heap.h"
#include "sched/shadow.h"

/* Entry points that do nothing but look at an access. */
#define DH_ACCESS_ENTRY __attribute__((section("dh_access")))

/* The part of the detector, for an aligned access of 1 << log bytes, up to 8. */
void DH_HIDDEN dh_touch(
	struct dh_thread *self, uintptr_t address, unsigned log, unsigned access, uintptr_t pc);
/* A whole access: the scheduler's part, and the detector's, for any size and place. */
void DH_HIDDEN dh_plain_slow(
	struct dh_thread *self, uintptr_t address, unsigned log, unsigned access, uintptr_t pc);

/* This thread, when its accesses are looked at; otherwise NULL. */
static inline struct dh_thread *dh_watched_self(void)
{
	struct dh_thread *self = dh_self;

	return dh_likely(self != NULL) && dh_likely(!(self->ignore | self->inside)) ? self : NULL;
}

static inline uint64_t dh_cell_kind(unsigned access)
{
	return (access & DH_SCHED_WRITE ? DH_CELL_WRITE : 0) |
	       (access & DH_SCHED_ATOMIC ? DH_CELL_ATOMIC : 0);
}

/* Nothing is to be done for this access, in a run that does not compare it with others. */
static inline __attribute__((always_inline)) bool dh_uninteresting(uintptr_t address, uintptr_t pc)
{
	if (dh_glance == DH_LOOK_HEAP)
		return !dh_watched(pc) && !dh_heap_freed(address);
	return dh_glance == DH_LOOK_HISTORY && !dh_watched(pc) && !dh_heap_freed(address) &&
	       !dh_granule_followed(address);
}

/* A plain access as compilers announce it.  With `split` it may lie anywhere; with log 4 it has two
 * granules. */
static inline __attribute__((always_inline)) void dh_plain(
	const volatile void *p, unsigned log, bool split, unsigned access, uintptr_t pc)
{
	struct dh_thread *self = dh_self;
	uintptr_t address = (uintptr_t)p;

	if (dh_unlikely(!self))
		return;
	if (log < 4 && !(split && address % (1u << log))) {
		if (dh_likely(dh_glance == DH_LOOK_SCREEN)) {
			uint64_t *cells = dh_shadow_known(address);
			uint64_t what = dh_cell_access(address, log, dh_cell_kind(access), pc);

			if (dh_likely(cells != NULL) && dh_likely(self->budget > 0)) {
				self->budget--;
				if (dh_unlikely(!dh_cells_have(cells, what | self->cell)))
					dh_screen(self, cells, address, what, pc);
				return;
			}
		} else if (dh_uninteresting(address, pc) && dh_likely(--self->budget >= 0)) {
			return;
		}
	}
	dh_plain_slow(self, address, log, access, pc);
}
