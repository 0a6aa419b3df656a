/* The address space of a process: what /proc/PID/maps says, or what a recording has kept of it.
 * Owns its strings.  One thread. */
#pragma once
#include <sys/types.h>

#include "base/arena.h"

struct dh_sym_area {
	uint64_t start, end;
	uint64_t offset; /* in the file */
	uint64_t inode;
	const char *path; /* "" when anonymous, "[stack]" and such for the kernel's own */
	bool read, write, exec, shared;
};

struct dh_sym_space {
	struct dh_arena arena;
	struct dh_sym_area *all; /* by address */
	size_t n, cap;
};

#define DH_SYM_SPACE_INIT ((struct dh_sym_space){0})

void dh_sym_space_release(struct dh_sym_space *m);
/* Adds what the text, in the format of /proc/PID/maps, says.  Lines that make no sense (bad
 * numbers, overlaps, wrong order) are left out and counted.  The number left out. */
size_t dh_sym_space_parse(struct dh_sym_space *m, const char *text, size_t n);
/* Reads those of a process.  0 or -errno. */
int dh_sym_space_read(struct dh_sym_space *m, pid_t pid, struct dh_error *err);
/* The one that holds addr, or NULL. */
const struct dh_sym_area *dh_sym_space_find(const struct dh_sym_space *m, uint64_t addr);
