/* Runs clang on one source, for unoptimised bitcode and the names of all files that it read;
 * nothing touches the disk. */
#pragma once
#include "base/forward.h"

#define DH_SCAN_COMPILE_SECONDS 600
#define DH_SCAN_MAX_BITCODE     (1u << 30)
#define DH_SCAN_MAX_DEPS        (64u << 20)

struct dh_scan_compile {
	const char *clang, *dir, *file;
	char *const *flags; /* ended by NULL */
};

/* Appends the bitcode, and the dependencies as a rule of make.  0; -EBADMSG when clang rejects the
 * source or crashes on it, with its first error; -ETIMEDOUT. */
int dh_scan_compile(const struct dh_scan_compile *c, struct dh_buf *bitcode, struct dh_buf *deps,
	struct dh_error *err);
