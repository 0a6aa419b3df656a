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

/* Called for each page that counts. */
struct dh_memhash_watch {
	void (*page)(void *cookie, uint64_t addr, uint64_t hash, const uint8_t *data);
	void *cookie;
};

/* What one page that is not all zeros adds; data is a whole page. */
uint64_t dh_memhash_page(uint64_t addr, const uint8_t *data);

/* Leaves out the landing area, and skip when it is not NULL; watch may be NULL.  maps is filled
 * with the address space as it is. */
int dh_memhash(struct dh_tracee *t, struct dh_maps *maps, const struct dh_memhash_skip *skip,
	const struct dh_memhash_watch *watch, uint64_t *ret);
