/* Where the blocks of the heap are: regions of 1 MiB, each with blocks of one size, or a run of
 * regions for one large block.  Each block begins with its header.  Pure but for its memory; the
 * heap's lock protects it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dh_block_state {
	DH_BLOCK_FREE, /* may be taken */
	DH_BLOCK_LIVE,
	DH_BLOCK_FREED, /* by the program, but not yet to be taken */
};

struct dh_block {
	uint64_t size; /* that the program asked for */
	uint32_t alloc_stack, free_stack;
	uint16_t alloc_thread, free_thread;
	uint32_t offset; /* from here to what the program has */
	uint32_t next;   /* in lists */
	uint8_t state;   /* enum dh_block_state */
	bool used;       /* was taken before: its memory is not fresh */
	bool large;      /* has regions of its own */
};

extern uintptr_t dh_blocks_base;

void dh_blocks_start(void *heap, size_t size);
/* A block with room; NULL when there is none.  Sets size, offset and state. */
struct dh_block *dh_block_take(size_t size, size_t align);
/* It may be taken again. */
void dh_block_give(struct dh_block *b);
/* The block that an address of the heap is in, whatever its state; NULL: none was there yet. */
struct dh_block *dh_block_at(uintptr_t address);
/* Takes the pages of a large block away until it is taken again. */
void dh_block_shut(struct dh_block *b);
/* How many bytes at its beginning may still hold what an earlier owner wrote. */
size_t dh_block_stale(const struct dh_block *b);
/* How large it could become where it is. */
size_t dh_block_room(const struct dh_block *b);

/* Links of lists: numbers in units of 16 bytes, plus one; 0 is the end. */
static inline struct dh_block *dh_block_numbered(uint32_t n)
{
	return n ? (struct dh_block *)(dh_blocks_base + ((uintptr_t)(n - 1) << 4)) : NULL;
}

static inline uint32_t dh_block_number(const struct dh_block *b)
{
	return b ? (uint32_t)(((uintptr_t)b - dh_blocks_base) >> 4) + 1 : 0;
}

static inline struct dh_block *dh_block_next(const struct dh_block *b)
{
	return dh_block_numbered(b->next);
}

static inline void dh_block_link(struct dh_block *b, const struct dh_block *next)
{
	b->next = dh_block_number(next);
}

static inline void *dh_block_user(const struct dh_block *b)
{
	return (char *)(uintptr_t)b + b->offset;
}
