/* How clang is called on one source, for unoptimised bitcode and the names of all files that it
 * read; nothing touches the disk. */
#pragma once
#include "base/forward.h"

#define DH_SCAN_COMPILE_SECONDS 600
#define DH_SCAN_MAX_BITCODE     (1u << 30)
#define DH_SCAN_MAX_DEPS        (64u << 20)

struct dh_scan_compile {
	const char *clang, *dir, *file;
	char *const *flags; /* ended by NULL */
	bool with_facts;    /* see jobs.h */
	const char *output; /* of the job */
};

/* Files in memory that clang writes to. */
struct dh_scan_files {
	int bitcode, deps, messages;
};

int dh_scan_files_open(struct dh_scan_files *ret, struct dh_error *err);
void dh_scan_files_close(struct dh_scan_files *f);
/* Appends the bitcode, unless it is NULL, and the dependencies as a rule of make. */
int dh_scan_files_read(const struct dh_scan_files *f, struct dh_buf *bitcode, struct dh_buf *deps,
	struct dh_error *err);

/* The command line, ended by NULL, for a clang whose standard output and error are the files; deps
 * is open in it under the same number.  The caller frees it and its strings. */
char **dh_scan_compile_argv(const struct dh_scan_compile *c, int deps);
/* What a wait status of clang, or -errno, comes to: 0; DH_EXTRACT_AGAIN (jobs.h); -EBADMSG when it
 * rejects the source or crashes on it, with its first error; -ETIMEDOUT.  When it rejects the
 * source, the names of what it read go to the output: while they say the same, it will again. */
int dh_scan_compile_verdict(const struct dh_scan_compile *c, int status,
	const struct dh_scan_files *f, struct dh_error *err);

/* Runs clang and reads what it wrote. */
int dh_scan_compile(const struct dh_scan_compile *c, struct dh_buf *bitcode, struct dh_buf *deps,
	struct dh_error *err);
