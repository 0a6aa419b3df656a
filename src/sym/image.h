/* Private to this folder: a look at an ELF file before the libraries see it.
 *
 * Files named by a process or a recording may be anything: replaced, cut short, never ELF at all.
 * What passes here has all its tables and sections inside the file, so that the parsers behind
 * work on data that exists. */
#pragma once
#include "base/forward.h"

struct dh_image_segment {
	uint64_t offset, vaddr, file_size, mem_size;
};

#define DH_IMAGE_MAX_SEGMENTS 64

struct dh_image {
	bool fixed;         /* not position-independent */
	uint64_t first;     /* where the first segment begins, rounded down to its alignment */
	uint64_t low, high; /* link-time addresses that it covers */
	int n_segments;
	struct dh_image_segment segment[DH_IMAGE_MAX_SEGMENTS];
};

/* 0, or -errno: -ENOEXEC when it is not a sound 64-bit ELF program or library. */
int dh_image_read(int fd, struct dh_image *ret);
/* Where link-time address 0 lies, when the file's offset is mapped at addr.  -ENOENT: no segment
 * holds that offset. */
int dh_image_bias(const struct dh_image *i, uint64_t offset, uint64_t addr, uint64_t *ret);
/* That mapping belongs to the image when it lies at bias. */
bool dh_image_fits(const struct dh_image *i, uint64_t offset, uint64_t addr, uint64_t bias);
