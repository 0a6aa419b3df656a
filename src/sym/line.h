/* From a line of source to the code that was made of it. */
#pragma once
#include "base/forward.h"

struct dh_sym;

struct dh_sym_range {
	uint64_t start, end;
};

/* The ranges of code that stand for line of file, in all modules; file may be the last components
 * of the path that the compiler has, or the other way round ("/src/a.c" for "a.c").  At most max;
 * how many there are. */
size_t dh_sym_line(
	struct dh_sym *s, const char *file, uint32_t line, struct dh_sym_range *ret, size_t max);
