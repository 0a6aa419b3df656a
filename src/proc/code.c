#include "proc/code.h"

#include <errno.h>

#include "isa/window.h"
#include "proc/tracee.h"

#define PAGE   4096ull
#define AROUND 4096u /* bytes looked at on each side for branches into the middle */

int dh_code_window(struct dh_tracee *t, uint64_t pc, struct dh_window *ret)
{
	uint8_t bytes[2 * AROUND];
	struct dh_window_code code = {.bytes = bytes};
	uint64_t from = pc - AROUND;
	ssize_t n;

	if (pc < AROUND)
		return -ENODATA;
	n = dh_tracee_read_some(t, from, bytes, sizeof(bytes));
	if (n <= 0) { /* the mapping begins within: from its first page on */
		for (from = (from + PAGE) & ~(PAGE - 1); n <= 0 && from <= pc; from += PAGE)
			n = dh_tracee_read_some(t, from, bytes, pc + AROUND - from);
		from -= PAGE;
	}
	if (n <= 0)
		return -ENODATA;
	code.start = from;
	code.n = (size_t)n;
	return dh_window_choose(&code, pc, ret);
}
