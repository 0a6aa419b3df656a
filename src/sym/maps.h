/* The address space of a process: what /proc/PID/maps says, or what a recording has kept of it.
 * Owns its strings.  One thread. */
#pragma once
#include <sys/types.h>

#include "base/arena.h"

struct dh_mapping {
	uint64_t start, end;
	uint64_t offset; /* in the file */
	uint64_t inode;
	const char *path; /* "" when anonymous, "[stack]" and such for the kernel's own */
	bool read, write, exec, shared;
};

struct dh_maps {
	struct dh_arena arena;
	struct dh_mapping *all; /* by address */
	size_t n, cap;
};

#define DH_MAPS_INIT ((struct dh_maps){0})

void dh_maps_release(struct dh_maps *m);
/* Adds what the text, in the format of /proc/PID/maps, says.  Lines that make no sense (bad
 * numbers, overlaps, wrong order) are left out and counted.  The number left out. */
size_t dh_maps_parse(struct dh_maps *m, const char *text, size_t n);
/* Reads those of a process.  0 or -errno. */
int dh_maps_read(struct dh_maps *m, pid_t pid, struct dh_error *err);
/* The one that holds addr, or NULL. */
const struct dh_mapping *dh_maps_find(const struct dh_maps *m, uint64_t addr);
