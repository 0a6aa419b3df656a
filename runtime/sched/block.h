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
	uint32_t next;   /* in lists, in units of 16 bytes from the start of the heap, plus one */
	uint8_t state;   /* enum dh_block_state */
	bool used;       /* was taken before: its memory is not fresh */
};

void dh_blocks_start(void *heap, size_t size);
/* A block with room; NULL when there is none.  Sets size, offset and state. */
struct dh_block *dh_block_take(size_t size, size_t align);
/* It may be taken again. */
void dh_block_give(struct dh_block *b);
/* The block that an address of the heap is in, whatever its state; NULL: none was there yet. */
struct dh_block *dh_block_at(uintptr_t address);
bool dh_block_large(const struct dh_block *b);
/* Takes the pages of a large block away until it is taken again. */
void dh_block_shut(struct dh_block *b);
/* How many bytes at its beginning may still hold what an earlier owner wrote. */
size_t dh_block_stale(const struct dh_block *b);
/* How large it could become where it is. */
size_t dh_block_room(const struct dh_block *b);
struct dh_block *dh_block_next(const struct dh_block *b);
void dh_block_link(struct dh_block *b, const struct dh_block *next);

static inline void *dh_block_user(const struct dh_block *b)
{
	return (char *)(uintptr_t)b + b->offset;
}
