/* What the formats share: the job at hand, and the words for what findings consist of.
 * Only files in this folder include it. */
#pragma once
#include "base/forward.h"
#include "model/finding.h"
#include "report/report.h"

struct dh_sources;

struct dh_report {
	struct dh_finding *const *findings;
	size_t n;
	const struct dh_report_options *opt; /* never NULL */
	const char *root;                    /* where relative file names start; "" if not known */
	struct dh_sources *sources;
	struct dh_buf *out;
};

/* One file each.  0 or -errno with words. */
int dh_report_text(const struct dh_report *r, struct dh_error *err);
int dh_report_gcc(const struct dh_report *r, struct dh_error *err);
int dh_report_json(const struct dh_report *r, struct dh_error *err);
int dh_report_sarif(const struct dh_report *r, struct dh_error *err);
int dh_report_html(const struct dh_report *r, struct dh_error *err);

uint64_t dh_report_rank(const struct dh_report *r, size_t i);
/* The file name as it is shown: relative to the root when below it.  NULL stays NULL. */
const char *dh_report_path(const struct dh_report *r, const char *file);

/* One finding as an object of the canonical JSON. */
void dh_report_json_finding(struct dh_json *j, const char *key, const struct dh_report *r,
	const struct dh_finding *f, uint64_t rank);

/* ---- words.c ---- */

struct dh_kind_words {
	const char *name;  /* "Data race" */
	const char *about; /* a sentence: what it is */
	const char *mend;  /* a sentence or two: what to do about it */
};

const struct dh_kind_words *dh_kind_words(enum dh_kind kind);
/* A sentence: what the level of evidence means. */
const char *dh_level_about(enum dh_level level);

/* The levels, those that want a person's eyes first: i from 0 to DH_LEVEL_COUNT - 1. */
enum dh_level dh_report_urgent_level(size_t i);

#define DH_MAX_ORIGINS 16
/* The commands that gave evidence, each once, oldest first; how many. */
size_t dh_report_origins(const struct dh_finding *f, const char *ret[DH_MAX_ORIGINS]);
/* The latest time at which somebody saw this finding, 0 if nobody said. */
int64_t dh_report_seen(const struct dh_finding *f);

/* "atomic write of 4 bytes"; the role when there is no access. */
void dh_words_access(struct dh_buf *b, const struct dh_site *site);
/* "41 -> 42", with hexadecimal where decimal says little. */
void dh_words_values(struct dh_buf *b, const struct dh_access *access);
/* "file:line", "file:line:column", "module+0x12" or "?". */
void dh_words_place(struct dh_buf *b, const struct dh_report *r, const struct dh_frame *f);
/* "#0 func file:line (module+0x123)". */
void dh_words_frame(
	struct dh_buf *b, const struct dh_report *r, const struct dh_frame *f, size_t number);
/* "2026-01-31T12:00:00Z"; false when when is 0 or beyond a calendar's reach. */
bool dh_words_time(char ret[32], int64_t when);
/* "97 of 100 tries, seeds 100", from hits, tries and budget; nothing when there are none. */
void dh_words_budget(struct dh_buf *b, const struct dh_evidence *e);
/* Adds s so that a terminal shows it and does not obey it: control characters, invalid UTF-8 and
 * marks that turn the direction of writing become \x1b, \xff, \u202e. */
void dh_words_plain(struct dh_buf *b, const char *s);
void dh_words_plainn(struct dh_buf *b, const char *s, size_t n);
