/* What each instrumented access does: the hot path of every run.  Inline in the entry points. */
#pragma once
#include "sched/detector.h"
#include "sched/heap.h"
#include "sched/shadow.h"

/* The part of the detector, for an aligned access of 1 << log bytes, up to 8. */
static inline __attribute__((always_inline)) void dh_touch(
	struct dh_thread *self, uintptr_t address, unsigned log, unsigned access, uintptr_t pc)
{
	const uint64_t kind = (access & DH_SCHED_WRITE ? DH_CELL_WRITE : 0) |
			      (access & DH_SCHED_ATOMIC ? DH_CELL_ATOMIC : 0);

	if (dh_look == DH_LOOK_SCREEN) {
		uint64_t *cells = dh_shadow_cells(address);
		uint64_t what = dh_cell_access(address, log, kind, pc), now = what | dh_cell;

		if (dh_likely(cells[0] == now) || cells[1] == now || cells[2] == now ||
			cells[3] == now)
			return;
		dh_screen(self, cells, address, what, pc);
		return;
	}
	if (dh_unlikely(dh_heap_freed(address)))
		dh_heap_used_after_free(pc, address, access);
	if (dh_look == DH_LOOK_HISTORY && dh_unlikely(dh_granule_followed(address))) {
		const struct dh_touch touch = {.address = address,
			.pc = pc,
			.bytes = (uint8_t)(((1u << (1u << log)) - 1) << address % DH_GRANULE),
			.access = (uint8_t)access};

		dh_history(self, &touch);
	}
}

/* This thread, when its accesses are looked at; otherwise NULL. */
static inline struct dh_thread *dh_watched_self(void)
{
	struct dh_thread *self = dh_self;

	return dh_likely(self != NULL) && dh_likely(!(self->ignore | self->inside)) ? self : NULL;
}

/* A plain access as compilers announce it: the scheduler's part, and the detector's.  With `split`
 * it may lie across granules, and is longer than 8 bytes with log 4. */
static inline __attribute__((always_inline)) void dh_plain(
	const volatile void *p, unsigned log, bool split, unsigned access, uintptr_t pc)
{
	struct dh_thread *self = dh_watched_self();
	uintptr_t address = (uintptr_t)p;

	if (!self)
		return;
	dh_sched_access(self, pc, p, (size_t)1 << log, access);
	if (log == 4 || (split && address % DH_GRANULE + (1u << log) > DH_GRANULE))
		dh_range(self, address, (size_t)1 << log, access, pc);
	else if (split && address % (1u << log))
		dh_range(self, address, (size_t)1 << log, access, pc);
	else
		dh_touch(self, address, log, access, pc);
}
