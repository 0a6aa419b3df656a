/* Reports that ThreadSanitizer wrote, of gcc and of clang, as findings: data races (also on a freed
 * block) and cycles in the order of locks.  What else stands in the text (the program's own output,
 * other kinds of report) is skipped.  The text is not trusted.  Pure. */
#pragma once
#include "base/forward.h"

struct dh_findings;

struct dh_tsan_log {
	size_t reports; /* that begin in the text */
	size_t taken;   /* of which findings were made; the same one again is taken once */
	size_t damaged; /* cut off, or without a place in the program */
	size_t other;   /* of kinds that no schedule decides */
};

/* Appends findings, sealed, with one piece of evidence (observed; a cycle of locks: predicted). */
void dh_tsan_log_read(
	const char *text, size_t size, struct dh_findings *found, struct dh_tsan_log *ret);
