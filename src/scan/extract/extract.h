/* From commands of a build to a program: what the cache has is taken from there, the rest is
 * compiled by the helper (job.h), several at a time.  A source that cannot be compiled is listed
 * with its first error, and the rest goes on. */
#pragma once
#include "base/forward.h"

struct dh_scan_commands;
struct dh_scan_program;

struct dh_scan_failure {
	char *file, *text;
};

struct dh_scan_extraction {
	size_t units;    /* that are in the program */
	size_t compiled; /* of these, in this run */
	bool by_clang;   /* which reads its code itself; else deadheat-extract read bitcode */
	struct dh_scan_failure *failures;
	size_t n_failures, cap_failures;
	size_t lost;          /* sources some of whose flags are in a file that cannot be read */
	char *first_lost;     /* such a file, or NULL */
	uint64_t lines;       /* of the sources themselves, without headers */
	uint64_t shared;      /* functions of headers */
	uint64_t shared_uses; /* by units */
	uint64_t damaged;     /* files of the cache that could not be used */
};

void dh_scan_extraction_release(struct dh_scan_extraction *e);

struct dh_scan_extract_options {
	const char *cache; /* folder */
	const char *root;  /* names of files below it are relative to it; absolute */
	unsigned jobs;
	void (*progress)(void *arg, size_t done, size_t total, const char *file);
	void *arg;
};

/* Joins all units to the program; order and ids do not depend on how the jobs went.  0, or -errno
 * with words when nothing can be compiled at all: -ENOPKG without LLVM or clang. */
int dh_scan_extract(const struct dh_scan_commands *commands,
	const struct dh_scan_extract_options *o, struct dh_scan_program *p,
	struct dh_scan_extraction *ret, struct dh_error *err);
