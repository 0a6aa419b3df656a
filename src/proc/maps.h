/* The address space of a process, from /proc/PID/maps. */
#pragma once
#include "base/forward.h"

#include <sys/types.h>

struct dh_vma {
	uint64_t start, end;
	int prot;    /* PROT_* */
	bool shared; /* MAP_SHARED */
	uint64_t offset;
	uint32_t dev_major, dev_minor;
	uint64_t inode;
	char *path; /* as the kernel prints it: "", "[heap]", "/usr/lib/..." */
};

struct dh_maps {
	struct dh_vma *vmas;
	size_t n, cap;
};

#define DH_MAPS_INIT ((struct dh_maps){0})

/* Replaces what was in m.  0 or -errno (-ESRCH: no such process). */
int dh_maps_read(struct dh_maps *m, pid_t pid);
void dh_maps_release(struct dh_maps *m);
/* The mapping that holds addr, or NULL. */
const struct dh_vma *dh_maps_find(const struct dh_maps *m, uint64_t addr);
/* A free range of len bytes within +-distance of addr, page aligned, or 0. */
uint64_t dh_maps_find_free(const struct dh_maps *m, uint64_t addr, uint64_t len, uint64_t distance);
