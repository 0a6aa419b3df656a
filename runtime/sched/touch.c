#include "sched/touch.h"

void dh_touch(
	struct dh_thread *self, uintptr_t address, unsigned log, unsigned access, uintptr_t pc)
{
	if (dh_look == DH_LOOK_SCREEN) {
		uint64_t *cells = dh_shadow_cells(address);
		uint64_t what = dh_cell_access(address, log, dh_cell_kind(access), pc);

		if (!dh_cells_have(cells, what | self->cell))
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
