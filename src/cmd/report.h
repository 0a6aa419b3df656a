/* Private to deadheat report: its options, and the parts that have a file of their own. */
#pragma once
#include <stdint.h>

#include "base/forward.h"
#include "base/opt.h"
#include "cmd/output.h"
#include "model/finding.h"
#include "store/store.h"

struct dh_findings;

#define DH_REPORT_NO_LIMIT UINT64_MAX

extern struct dh_report_opt {
	struct dh_opt_list kinds, levels, suppressions, suppress, unsuppress, import;
	const char *db, *file, *origin, *since, *reason;
	struct dh_output out;
	int fail_on;
	uint64_t limit;
	bool suppressed;
} dh_report_opt;

/* What --fail-on knows: the ladder without the levels that say there is nothing to mend. */
extern const char *const dh_report_fail_names[];

/* Bits of all levels at or above this one, in the order of what wants a person's eyes. */
uint32_t dh_report_levels_from(enum dh_level level);
/* The list of what the query gives.  1: something in it is at or above --fail-on. */
int dh_report_list(const struct dh_store_query *q, struct dh_error *err);
