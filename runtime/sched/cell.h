/* A shadow cell: one access, in 8 bytes.
 *
 *   bits  0..31  lower half of the pc (where the call of the entry point returns to)
 *        32..55  segment: thread, clock and lockset
 *        56..58  first byte inside the granule of 8
 *        59..60  binary logarithm of the size
 *        61      write
 *        62      atomic
 *
 * Equal cells are the same access by the same statement in the same segment: one comparison
 * decides that nothing is new.  0 is no access.  Pure. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define DH_GRANULE           8u
#define DH_CELL_SEGMENT      32
#define DH_CELL_OFFSET       56
#define DH_CELL_SIZE         59
#define DH_CELL_WRITE        (UINT64_C(1) << 61)
#define DH_CELL_ATOMIC       (UINT64_C(1) << 62)
#define DH_CELL_SEGMENT_MASK UINT64_C(0xffffff)

/* What an access is, apart from the segment; kind is of DH_CELL_WRITE and DH_CELL_ATOMIC. */
static inline uint64_t dh_cell_access(uintptr_t address, unsigned log, uint64_t kind, uintptr_t pc)
{
	return kind | (uint64_t)log << DH_CELL_SIZE |
	       (uint64_t)(address % DH_GRANULE) << DH_CELL_OFFSET | (uint32_t)pc;
}

static inline uint32_t dh_cell_segment(uint64_t cell)
{
	return (uint32_t)(cell >> DH_CELL_SEGMENT & DH_CELL_SEGMENT_MASK);
}

static inline uint32_t dh_cell_pc(uint64_t cell)
{
	return (uint32_t)cell;
}

static inline unsigned dh_cell_offset(uint64_t cell)
{
	return cell >> DH_CELL_OFFSET & 7;
}

static inline unsigned dh_cell_size(uint64_t cell)
{
	return 1u << (cell >> DH_CELL_SIZE & 3);
}

/* One bit for each byte of the granule. */
static inline uint8_t dh_cell_bytes(uint64_t cell)
{
	return (uint8_t)(((1u << dh_cell_size(cell)) - 1) << dh_cell_offset(cell));
}

static inline bool dh_cell_overlap(uint64_t a, uint64_t b)
{
	return (dh_cell_bytes(a) & dh_cell_bytes(b)) != 0;
}

/* Everything but the segment is the same: the same statement did the same before. */
static inline bool dh_cell_same_statement(uint64_t a, uint64_t b)
{
	return !((a ^ b) & ~(DH_CELL_SEGMENT_MASK << DH_CELL_SEGMENT));
}
