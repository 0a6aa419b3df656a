/* How commands show findings: the options that they have in common, and one way to write. */
#pragma once
#include "base/forward.h"

struct dh_findings;
struct dh_report_options;

struct dh_output {
	int format;         /* enum dh_report_format */
	int color;          /* index into dh_color_names */
	const char *output; /* file, or NULL for stdout */
};

/* Choices of --color: auto, always, never. */
extern const char *const dh_color_names[];

/* Writes the findings; more may be NULL or have what only some commands know (rank, full, ...): how
 * it looks is filled in here.  0 or -errno with words in err. */
int dh_output_write(const struct dh_output *o, const struct dh_findings *found,
	const struct dh_report_options *more, struct dh_error *err);
