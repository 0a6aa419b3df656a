/* Accesses of any size, and memory that changes hands. */
#include "sched/detector.h"
#include "sched/heap.h"
#include "sched/shadow.h"
#include "sched/touch.h"

/* Blocks beyond this are looked at in their first part only when they are freed. */
#define FREE_LOOK_MAX ((size_t)64 << 10)

/* The largest aligned power of two that begins at p and does not go beyond the end. */
static unsigned part_log(uintptr_t p, uintptr_t end)
{
	unsigned log = 3;

	while (p % (1u << log) || end - p < (1u << log))
		log--;
	return log;
}

/* Whole granules from p to end, which lie in one chunk of the shadow, and all of the same kind. */
static void screen_granules(
	struct dh_thread *self, uintptr_t p, uintptr_t end, unsigned access, uintptr_t pc)
{
	uint64_t what = dh_cell_access(0, 3, dh_cell_kind(access), pc), *cells = dh_shadow_cells(p);

	for (; p < end; p += DH_GRANULE, cells += DH_SHADOW_CELLS) {
		if (!dh_cells_have(cells, what | self->cell))
			dh_screen(self, cells, p, what, pc);
	}
}

static void history_part(
	struct dh_thread *self, uintptr_t p, unsigned log, unsigned access, uintptr_t pc)
{
	struct dh_touch touch = {.address = p,
		.pc = pc,
		.bytes = (uint8_t)(((1u << (1u << log)) - 1) << p % DH_GRANULE),
		.access = (uint8_t)access};

	if (dh_granule_followed(p))
		dh_history(self, &touch);
}

/* A block is freed as a whole: its ends tell. */
static void heap_part(uintptr_t first, uintptr_t last, unsigned access, uintptr_t pc)
{
	if (dh_heap_freed(first))
		dh_heap_used_after_free(pc, first, access);
	else if (dh_heap_freed(last))
		dh_heap_used_after_free(pc, last, access);
}

static void history_range(
	struct dh_thread *self, uintptr_t p, uintptr_t end, unsigned access, uintptr_t pc)
{
	while (p < end) {
		unsigned log = part_log(p, end);

		history_part(self, p, log, access, pc);
		p += (size_t)1 << log;
	}
}

static void screen_range(
	struct dh_thread *self, uintptr_t p, uintptr_t end, unsigned access, uintptr_t pc)
{
	while (p < end) {
		uintptr_t whole = end & ~(uintptr_t)(DH_GRANULE - 1);
		uintptr_t chunk = (p | ((UINT64_C(1) << DH_SHADOW_CHUNK) - 1)) + 1;
		unsigned log = part_log(p, end);

		if (log == 3) {
			whole = whole < chunk ? whole : chunk;
			screen_granules(self, p, whole, access, pc);
			p = whole;
		} else {
			dh_touch(self, p, log, access, pc);
			p += (size_t)1 << log;
		}
	}
}

void dh_range(struct dh_thread *self, uintptr_t address, size_t size, unsigned access, uintptr_t pc)
{
	uintptr_t end = address + size;

	if (!size)
		return;
	if (access & DH_SCHED_FREE && size > FREE_LOOK_MAX)
		end = address + FREE_LOOK_MAX;
	if (!(access & DH_SCHED_FREE))
		heap_part(address, end - 1, access, pc);
	if (dh_look == DH_LOOK_HISTORY)
		history_range(self, address, end, access, pc);
	else if (dh_look == DH_LOOK_SCREEN && access & DH_SCHED_FREE)
		dh_screen_free(self, address, end, pc);
	else if (dh_look == DH_LOOK_SCREEN)
		screen_range(self, address, end, access, pc);
}

void dh_memory_freed(struct dh_thread *self, uintptr_t address, size_t size, uintptr_t pc)
{
	bool seen = dh_look >= DH_LOOK_SCREEN && !self->ignore;

	if (seen)
		dh_range(self, address, size, DH_SCHED_WRITE | DH_SCHED_FREE, pc);
	if (seen && dh_look == DH_LOOK_SCREEN && size <= FREE_LOOK_MAX)
		dh_sync_clear(address, size);
	else
		dh_memory_fresh(address, size);
}

void dh_memory_fresh(uintptr_t address, size_t size)
{
	if (dh_look == DH_LOOK_SCREEN)
		dh_shadow_clear(address, size);
	else if (dh_look == DH_LOOK_HISTORY)
		dh_history_clear(address, size);
	if (dh_look > DH_LOOK_HEAP)
		dh_sync_clear(address, size);
}
