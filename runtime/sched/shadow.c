#include "sched/shadow.h"

#include "sched/pool.h"

#define CHUNK       ((size_t)1 << DH_SHADOW_CHUNK)
#define FACTOR      (DH_SHADOW_CELLS * sizeof(uint64_t) / DH_GRANULE)
#define CHUNK_CELLS (CHUNK * FACTOR)
#define TABLE_SIZE  ((DH_SHADOW_TOP + 1) * sizeof(uintptr_t))

uintptr_t *dh_shadow_table;
/* Entries of the table that are in use, to find them again. */
static uint32_t *made;
static uint32_t nmade, made_cap;
/* Where accesses go that have no shadow: never compared, because it is emptied at each use. */
static uint64_t nowhere[DH_SHADOW_CELLS];

bool dh_shadow_start(void)
{
	if (dh_shadow_table)
		dh_shadow_flush();
	else
		dh_shadow_table = dh_pool_reserve(NULL, TABLE_SIZE);
	return dh_shadow_table != NULL;
}

uint64_t *dh_shadow_make(uintptr_t address)
{
	size_t at = address >> DH_SHADOW_CHUNK & DH_SHADOW_TOP;
	void *cells = dh_pool_reserve(NULL, CHUNK_CELLS);

	if (!cells) {
		for (unsigned i = 0; i < DH_SHADOW_CELLS; i++)
			nowhere[i] = 0;
		return nowhere;
	}
	dh_shadow_table[at] = (uintptr_t)cells;
	made = dh_pool_grow(made, &made_cap, nmade + 1, sizeof *made);
	made[nmade++] = (uint32_t)at;
	return dh_shadow_cells(address);
}

void dh_shadow_clear(uintptr_t address, size_t size)
{
	uintptr_t p = address & ~(uintptr_t)(DH_GRANULE - 1);
	uintptr_t end = (address + size + DH_GRANULE - 1) & ~(uintptr_t)(DH_GRANULE - 1);

	while (p < end) {
		uintptr_t next = (p | (CHUNK - 1)) + 1;
		uint64_t *cells = dh_shadow_known(p);

		if (next > end || next < p)
			next = end;
		if (cells)
			dh_pool_forget(cells, (next - p) * FACTOR);
		p = next;
	}
}

void dh_shadow_flush(void)
{
	for (uint32_t i = 0; i < nmade; i++)
		dh_pool_forget((void *)dh_shadow_table[made[i]], CHUNK_CELLS);
}
