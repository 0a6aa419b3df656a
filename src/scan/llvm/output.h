/* What a job leaves behind: the output file that scan/extract/job.h describes. */
#pragma once
#include "base/forward.h"

struct dh_scan_program;

/* rule: the dependencies, as a rule of make, whose names are relative to dir. */
int dh_extract_output(struct dh_scan_program *p, const char *rule, const char *dir,
	const char *path, struct dh_error *err);
/* Of a source that clang rejects: what it read.  If it cannot be written, the source is tried again
 * another time. */
void dh_extract_rejection(const char *rule, const char *dir, const char *path);
/* Of the file; 0 when it cannot be read. */
uint64_t dh_extract_lines(const char *path);
