/* Lines of source around a place in a finding.  Files may have changed, moved or never been here,
 * and a finding from elsewhere can name anything (a device, a huge file, somebody's secrets), so
 * reading is bounded, takes regular text files only, and always says in words why there is nothing
 * to show.  Keeps the files it read until freed.  One thread only. */
#pragma once
#include "base/forward.h"

struct dh_site;
struct dh_sources;

#define DH_EXCERPT_MAX_LINES 15

struct dh_excerpt {
	char note[160]; /* why there are no lines, or why they may be the wrong ones; "" if fine */
	uint32_t first; /* number of the first line */
	uint32_t n;     /* 0: nothing to show */
	struct {
		const char *text; /* borrowed until the next call; not ended by NUL */
		size_t len;
	} lines[DH_EXCERPT_MAX_LINES];
	uint32_t line;     /* the line of the access, where it is now */
	size_t mark;       /* byte in that line where the access begins */
	size_t mark_bytes; /* at least 1 */
};

/* Relative names are below dir; NULL: the working directory.  dir is borrowed. */
struct dh_sources *dh_sources_new(const char *dir);
void dh_sources_free(struct dh_sources *s);

/* context lines before and after the site's.  The mark is at its column; without one, under
 * variable where the line names it, otherwise under the whole line.  A file that is not as it was
 * is said to have changed: when the line differs from the site's text (it is then looked for
 * elsewhere in the file), or, without text, when the file was written after seen (0: not known).
 * Without a file the site's text alone is the excerpt.  Never fails: see note. */
void dh_sources_excerpt(struct dh_sources *s, const struct dh_site *site, const char *variable,
	uint32_t context, int64_t seen, struct dh_excerpt *ret);
