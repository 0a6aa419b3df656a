/* What differs between two outputs, in few words.  Pure. */
#pragma once
#include "base/forward.h"

/* Appends lines "-old" and "+new" for the part between the first and the last line that differ, at
 * most max_lines of each; other lines are counted.  Nothing when they are the same.  Control
 * characters are shown as '?'. */
void dh_output_diff(const char *was, size_t n_was, const char *is, size_t n_is, size_t max_lines,
	struct dh_buf *ret);
