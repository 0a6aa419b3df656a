/* A shadow cell: what one statement did in one granule, in 8 bytes.
 *
 *   bits  0..29  lower part of the pc (where the call of the entry point returns to)
 *        30      write
 *        31      atomic
 *        32..55  segment: thread, clock and lockset
 *        56..63  which bytes of the granule
 *
 * A statement that goes through the bytes of a granule one by one has one cell for all of them.  An
 * access whose cell has its bytes already is nothing new: one comparison decides that.  0 is no
 * access.  Pure. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define DH_GRANULE           8u
#define DH_CELL_PC           UINT64_C(0x3fffffff)
#define DH_CELL_WRITE        (UINT64_C(1) << 30)
#define DH_CELL_ATOMIC       (UINT64_C(1) << 31)
#define DH_CELL_SEGMENT      32
#define DH_CELL_SEGMENT_MASK UINT64_C(0xffffff)
#define DH_CELL_BYTES        56
#define DH_CELL_BUT_BYTES    ((UINT64_C(1) << DH_CELL_BYTES) - 1)

/* What an access is, apart from the segment; kind is of DH_CELL_WRITE and DH_CELL_ATOMIC. */
static inline uint64_t dh_cell_access(uintptr_t address, unsigned log, uint64_t kind, uintptr_t pc)
{
	uint64_t bytes = (UINT64_C(1) << (1u << log)) - 1;

	return bytes << DH_CELL_BYTES << address % DH_GRANULE | kind | (pc & DH_CELL_PC);
}

static inline uint32_t dh_cell_segment(uint64_t cell)
{
	return (uint32_t)(cell >> DH_CELL_SEGMENT & DH_CELL_SEGMENT_MASK);
}

static inline uint32_t dh_cell_pc(uint64_t cell)
{
	return (uint32_t)(cell & DH_CELL_PC);
}

/* One bit for each byte of the granule. */
static inline uint8_t dh_cell_bytes(uint64_t cell)
{
	return (uint8_t)(cell >> DH_CELL_BYTES);
}

/* From the first to the last of its bytes. */
static inline unsigned dh_cell_offset(uint64_t cell)
{
	return (unsigned)__builtin_ctz(dh_cell_bytes(cell) | 1u << 7);
}

static inline unsigned dh_cell_size(uint64_t cell)
{
	return 32 - (unsigned)__builtin_clz(dh_cell_bytes(cell) | 1u) - dh_cell_offset(cell);
}

static inline bool dh_cell_overlap(uint64_t a, uint64_t b)
{
	return (a & b) >> DH_CELL_BYTES != 0;
}

/* The same statement in the same segment was at these bytes, and perhaps at others. */
static inline bool dh_cell_covers(uint64_t cell, uint64_t access)
{
	return (cell & (access | DH_CELL_BUT_BYTES)) == access;
}

/* The same statement, in whichever segment and at whichever bytes. */
static inline bool dh_cell_same_statement(uint64_t a, uint64_t b)
{
	return (uint32_t)a == (uint32_t)b;
}
