#include "fuzz/calls.h"

#include <unistd.h>

#include "base/alloc.h"
#include "isa/insn.h"

#define MAX_CODE 65536u

size_t dh_code_calls(int mem, uint64_t start, uint64_t end, uint64_t *ret, size_t max)
{
	size_t n = DH_MIN(end - start, MAX_CODE), found = 0;
	DH_FREE uint8_t *code = dh_alloc(n);
	struct dh_insn insn;

	if (pread(mem, code, n, (off_t)start) != (ssize_t)n)
		return 0;
	for (size_t at = 0; at < n && found < max; at += insn.length) {
		if (dh_insn_decode(code + at, n - at, start + at, &insn) < 0)
			break;
		if (insn.flags & DH_INSN_CALL)
			ret[found++] = start + at + insn.length;
	}
	return found;
}
