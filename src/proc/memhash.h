/* One number for all memory that a process can write: equal states give equal numbers whether or
 * not a page has been touched yet (pages of zeros do not count), and independent of how the kernel
 * has split the address space into mappings. */
#pragma once
#include "base/forward.h"
#include "proc/maps.h"

struct dh_tracee;

struct dh_memhash_skip {
	uint64_t start, end;
};

/* Leaves out the landing area, and skip when it is not NULL.  maps is filled with the address space
 * as it is. */
int dh_memhash(struct dh_tracee *t, struct dh_maps *maps, const struct dh_memhash_skip *skip,
	uint64_t *ret);
