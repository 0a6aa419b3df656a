#include "fuzz/calls.h"

#include <unistd.h>

#include "base/alloc.h"
#include "isa/insn.h"
#include "isa/regs.h"

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

/* A word of struct dh_regs as debug information numbers registers; -1: none, -2: no such number. */
static int8_t number_of(int8_t word)
{
	struct dh_regs r = {0};
	uint64_t numbered[DH_REGS_DWARF];

	if (word < 0)
		return -1;
	r.word[word] = 1;
	dh_regs_dwarf(&r, numbered);
	for (int8_t i = 0; i < DH_REGS_DWARF - 1; i++) {
		if (numbered[i])
			return i;
	}
	return -2;
}

static bool is_plain(const struct dh_insn_mem *m)
{
	return m->segment < 0 && m->bits < 0 && m->size && m->size <= 64 &&
	       !(m->flags & (DH_MEM_STACK | DH_MEM_STRING | DH_MEM_NARROW | DH_MEM_STATE |
				    DH_MEM_SCATTERED)) &&
	       m->index_bits != 32;
}

static bool describe(const struct dh_insn *in, struct dh_code_access *ret)
{
	for (int i = 0; i < in->n_mem; i++) {
		const struct dh_insn_mem *m = &in->mem[i];

		if (!is_plain(m) || !(m->flags & (DH_MEM_READ | DH_MEM_WRITE)))
			continue;
		*ret = (struct dh_code_access){.next = in->pc + in->length,
			.length = in->length,
			.writes = m->flags & DH_MEM_WRITE,
			.atomic = in->flags & DH_INSN_ATOMIC,
			.base = number_of(m->base),
			.index = number_of(m->index),
			.scale = m->scale,
			.size = m->size,
			.disp = m->disp};
		return ret->base != -2 && ret->index != -2;
	}
	return false;
}

size_t dh_code_accesses(
	int mem, uint64_t start, uint64_t end, struct dh_code_access *ret, size_t max)
{
	/* The last instruction may reach beyond the end. */
	size_t n = DH_MIN(end - start, MAX_CODE), found = 0;
	DH_FREE uint8_t *code = dh_zalloc(n + DH_INSN_MAX_LENGTH);
	ssize_t got = pread(mem, code, n + DH_INSN_MAX_LENGTH, (off_t)start);
	struct dh_insn insn;

	for (size_t at = 0; got > 0 && at < n && found < max; at += insn.length) {
		if (dh_insn_decode(code + at, (size_t)got - at, start + at, &insn) < 0)
			break;
		found += describe(&insn, &ret[found]);
	}
	return found;
}
