/* Memory of the scheduling runtime itself, apart from the program's.
 *
 * Blocks come from the kernel in large pieces and go back to lists by size; nothing is returned to
 * the kernel.  All blocks are zero.  The caller remembers the size.  Only the thread that has the
 * turn may call; never the program's malloc. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Never NULL: a runtime without memory cannot go on, and says so. */
void *dh_pool_alloc(size_t size);
void dh_pool_free(void *block, size_t size);
/* A block of at least new_size with the old content in front; *cap is in elements of `unit`. */
void *dh_pool_grow(void *block, uint32_t *cap, uint32_t need, size_t unit);

/* Address space that costs memory only where it is touched; NULL when there is none. */
void *dh_pool_reserve(void *hint, size_t size);
/* Back to zeros, and the memory back to the kernel where whole pages are inside. */
void dh_pool_forget(void *start, size_t size);
/* Bytes that were handed out and not freed. */
size_t dh_pool_used(void);
