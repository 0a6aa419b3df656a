/* Memory of a runtime: mapped straight from the kernel, never the program's heap.  What is taken is
 * zeroed and stays until the process ends, except for rt_unmap().  Not thread-safe: the callers'
 * own rules (the turn) say who may allocate. */
#pragma once
#include <stddef.h>

/* `size` bytes, 16-aligned.  NULL when the kernel has no memory left. */
void *rt_alloc(size_t size);
/* Whole pages; only what is touched costs memory. */
void *rt_map(size_t size);
void rt_unmap(void *p, size_t size);
