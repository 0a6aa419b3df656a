/* Which lines changed since a revision, by git: for reporting only what a change touches. */
#pragma once
#include "base/map.h"

struct dh_finding;

struct dh_scan_range {
	uint32_t first, last;
};

struct dh_scan_changed_file {
	struct dh_scan_range *ranges;
	size_t n, cap;
};

struct dh_scan_changes {
	struct dh_strset names; /* relative to the working directory */
	struct dh_scan_changed_file *files;
	size_t n, cap;
};

void dh_scan_changes_init(struct dh_scan_changes *c);
void dh_scan_changes_release(struct dh_scan_changes *c);
/* Asks git, in the working directory; files that git does not know yet are changed as a whole.
 * 0, or -errno with git's words. */
int dh_scan_changes_load(struct dh_scan_changes *c, const char *revision, struct dh_error *err);
/* Reads the output of git diff --unified=0 --relative. */
int dh_scan_changes_parse(struct dh_scan_changes *c, const char *diff, struct dh_error *err);
bool dh_scan_changes_have(const struct dh_scan_changes *c, const char *file, uint32_t line);
/* Whether a site of the finding is on a changed line. */
bool dh_scan_changes_touch(const struct dh_scan_changes *c, const struct dh_finding *f);
