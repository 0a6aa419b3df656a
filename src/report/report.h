/* Reports: findings to text, gcc lines, JSON, SARIF and one HTML page.  One file per format; the
 * table in report.c names them.  Everything is appended to a buffer that the caller owns and
 * writes out; nothing here prints.  Findings are untrusted text (paths, symbols and command lines
 * of other people's programs), so each format escapes what it shows, and the output is always
 * valid UTF-8.  No global state: any thread may call this. */
#pragma once
#include "base/forward.h"

struct dh_finding;

enum dh_report_format {
	DH_REPORT_TEXT,
	DH_REPORT_GCC,
	DH_REPORT_JSON,
	DH_REPORT_SARIF,
	DH_REPORT_HTML,
	DH_REPORT_FORMAT_COUNT,
};

/* All zero is a good default: a short list, no colour, 80 columns, ASCII. */
struct dh_report_options {
	bool full;      /* text: all there is to say about each finding, not one entry in a list */
	bool color;     /* text: the caller knows that the output is a terminal */
	bool unicode;   /* text: lines and arrows may leave ASCII */
	unsigned width; /* text: columns, 0: 80; two columns of sites from 120 on */
	const uint64_t *rank;   /* of each finding in the whole store; NULL: the position, from 1 */
	const char *source_dir; /* relative file names are below it; NULL: the working directory */
	uint64_t lost_events;   /* for the summary: what the run could not see, ... */
	const char *const *skipped; /* ... and what it left out, in words */
	size_t n_skipped;
	int64_t now; /* seconds since 1970, said in HTML; 0: not said, so that output is repeatable
		      */
};

/* Appends the report on findings[0..n) in the given order.  opt may be NULL.
 * 0, or -errno with words in err; then out holds what it held before. */
int dh_report_write(enum dh_report_format format, struct dh_finding *const *findings, size_t n,
	const struct dh_report_options *opt, struct dh_buf *out, struct dh_error *err);

/* "text", "gcc", "json", "sarif", "html". */
const char *dh_report_format_name(enum dh_report_format format);
/* The same names, ended by NULL, in the order of the enum: choices for an option table. */
const char *const *dh_report_format_names(void);
/* The format or -1. */
int dh_report_format_parse(const char *name);
