/* Shadow memory: four cells for each granule of the program, the accesses that a later one is to be
 * compared with.
 *
 * A table with one entry for each 4 MiB of address space leads to the cells, so that it does not
 * matter where the program keeps its memory; all of it costs memory only where it is touched.
 * Only the thread that has the turn may call. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/cell.h"

#define DH_SHADOW_CELLS 4u
#define DH_SHADOW_CHUNK 22 /* binary logarithm of what one entry of the table covers */
#define DH_SHADOW_TOP   ((UINT64_C(1) << (47 - DH_SHADOW_CHUNK)) - 1)

/* Addresses of the cells of each chunk; 0: not there yet. */
extern uintptr_t *dh_shadow_table;

/* False when there is no address space for the table. */
bool dh_shadow_start(void);
/* Makes the chunk of an address; cells that nothing else uses when that is not possible. */
uint64_t *dh_shadow_make(uintptr_t address);
/* No cell for what is in this memory: it was freed, unmapped, or belongs to somebody new. */
void dh_shadow_clear(uintptr_t address, size_t size);
/* No cell anywhere. */
void dh_shadow_flush(void);

static inline uint64_t *dh_shadow_cells(uintptr_t address)
{
	uintptr_t chunk = dh_shadow_table[address >> DH_SHADOW_CHUNK & DH_SHADOW_TOP];

	if (__builtin_expect(!chunk, 0))
		return dh_shadow_make(address);
	return (uint64_t *)(chunk + (address % (1u << DH_SHADOW_CHUNK)) / DH_GRANULE *
					    (DH_SHADOW_CELLS * sizeof(uint64_t)));
}

/* The cells of an address that has some, or NULL. */
static inline uint64_t *dh_shadow_known(uintptr_t address)
{
	return dh_shadow_table[address >> DH_SHADOW_CHUNK & DH_SHADOW_TOP]
		       ? dh_shadow_cells(address)
		       : NULL;
}

/* Nothing is new about this access. */
static inline bool dh_cells_have(const uint64_t *cells, uint64_t access)
{
	return __builtin_expect(dh_cell_covers(cells[0], access), 1) ||
	       dh_cell_covers(cells[1], access) || dh_cell_covers(cells[2], access) ||
	       dh_cell_covers(cells[3], access);
}
