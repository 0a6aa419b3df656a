#include "sched/touch.h"

void dh_touch(
	struct dh_thread *self, uintptr_t address, unsigned log, unsigned access, uintptr_t pc)
{
	const uint64_t kind = (access & DH_SCHED_WRITE ? DH_CELL_WRITE : 0) |
			      (access & DH_SCHED_ATOMIC ? DH_CELL_ATOMIC : 0);

	if (dh_look == DH_LOOK_SCREEN) {
		uint64_t *cells = dh_shadow_cells(address);
		uint64_t what = dh_cell_access(address, log, kind, pc), now = what | self->cell;

		if (cells[0] != now && cells[1] != now && cells[2] != now && cells[3] != now)
			dh_screen(self, cells, address, what, pc);
		return;
	}
	if (dh_heap_freed(address))
		dh_heap_used_after_free(pc, address, access);
	if (dh_look == DH_LOOK_HISTORY && dh_granule_followed(address)) {
		const struct dh_touch touch = {.address = address,
			.pc = pc,
			.bytes = (uint8_t)(((1u << (1u << log)) - 1) << address % DH_GRANULE),
			.access = (uint8_t)access};

		dh_history(self, &touch);
	}
}

void dh_plain_slow(
	struct dh_thread *self, uintptr_t address, unsigned log, unsigned access, uintptr_t pc)
{
	if (self->ignore | self->inside)
		return;
	dh_sched_access(self, pc, (void *)address, (size_t)1 << log, access);
	if (dh_watched(pc))
		dh_stack_check(address, access, pc);
	if (log == 4 || address % (1u << log))
		dh_range(self, address, (size_t)1 << log, access, pc);
	else
		dh_touch(self, address, log, access, pc);
}
