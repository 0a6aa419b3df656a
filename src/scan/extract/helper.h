/* The helper process, seen from the extraction: it takes jobs and gives results (job.h). */
#pragma once
#include "base/forward.h"

struct dh_scan_helper;
struct dh_scan_result;

/* The version of LLVM that the helper was built with; 0: this build has none. */
int dh_scan_helper_version(void);
/* The compiler that fits: $DEADHEAT_CLANG, or clang of that version.  -ENOPKG with words: none. */
int dh_scan_helper_clang(char *ret, size_t size, struct dh_error *err);

/* clang: the compiler that jobs will name; if possible it is the helper.  limit: how many jobs it
 * runs at a time; further ones wait. */
int dh_scan_helper_start(
	const char *clang, unsigned limit, struct dh_scan_helper **ret, struct dh_error *err);
/* Whether clang is the helper, or deadheat-extract. */
bool dh_scan_helper_is_clang(const struct dh_scan_helper *h);
/* Ends the process; jobs that are still running are lost. */
void dh_scan_helper_stop(struct dh_scan_helper *h);

/* Hands over a job: its strings, flags last, ended by NULL. */
int dh_scan_helper_send(struct dh_scan_helper *h, const char *const *parts, struct dh_error *err);
/* Waits for the next result. */
int dh_scan_helper_receive(
	struct dh_scan_helper *h, struct dh_scan_result *ret, struct dh_error *err);
