/* Suppression files: TSan's "type:pattern" lines, read as they are.
 * A pattern is a part of a function's, file's, module's or variable's name; '*' stands for
 * anything, '^' at its begin and '$' at its end anchor it.  Besides TSan's types, the name of any
 * kind of finding is a type.  Hits are counted, so that unused lines can be listed. */
#pragma once
#include "base/forward.h"

struct dh_finding;

struct dh_suppression {
	const char *text; /* the line, trimmed */
	const char *file; /* where it stands */
	unsigned line;
	uint64_t hits;
	const char *pattern; /* within text */
	const struct dh_suppression_type *type;
};

struct dh_suppressions {
	struct dh_suppression *items;
	size_t n, cap;
	struct dh_arena *arena;
};

void dh_suppressions_init(struct dh_suppressions *s);
void dh_suppressions_release(struct dh_suppressions *s);

/* Adds the lines of a file.  -EBADMSG with file and line in err: nothing was added. */
int dh_suppressions_load(struct dh_suppressions *s, const char *path, struct dh_error *err);
int dh_suppressions_parse(struct dh_suppressions *s, const char *name, const char *text, size_t n,
	struct dh_error *err);

/* True when some line fits; every line that fits counts a hit. */
bool dh_suppressions_match(struct dh_suppressions *s, const struct dh_finding *f);
/* One pattern on one string, as above. */
bool dh_suppression_fits(const char *pattern, const char *s);
