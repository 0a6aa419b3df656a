#include "isa/access.h"

#include <errno.h>

#include "isa/insn.h"
#include "isa/regs.h"
#include "isa/x86.h"
#include "isa/xstate.h"

static uint64_t word(const struct dh_regs *regs, int i)
{
	return i < 0 ? 0 : regs->word[i];
}

static uint64_t low_bits(uint64_t v, unsigned bits)
{
	return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

/* The distance in bytes to the unit that holds bit number `bits`, a signed number as wide as the
 * unit. */
static int64_t bit_distance(uint64_t bits, uint32_t size)
{
	unsigned width = size * 8, unused = 64 - width;
	int64_t n = (int64_t)(bits << unused) >> unused;

	/* Rounds down: bit -1 lies in the unit before. */
	return (n >= 0 ? n / (int64_t)width : -((-n + width - 1) / (int64_t)width)) * size;
}

static uint64_t address(const struct dh_insn_mem *m, const struct dh_regs *regs)
{
	uint64_t a = word(regs, m->base) + (uint64_t)m->disp;

	a += low_bits(word(regs, m->index), m->index_bits) * m->scale;
	if (m->bits >= 0)
		a += (uint64_t)bit_distance(word(regs, m->bits), m->size);
	if (m->flags & DH_MEM_NARROW)
		a = (uint32_t)a;
	return a + word(regs, m->segment);
}

/* Applies the count and the direction of a string operation; false: it does nothing. */
static bool stretch(const struct dh_insn *insn, const struct dh_insn_mem *m,
	const struct dh_regs *regs, struct dh_mem_access *a)
{
	uint64_t count = 1;

	if (insn->flags & DH_INSN_REPEAT) {
		count = regs->word[DH_X86_RCX];
		if (m->flags & DH_MEM_NARROW)
			count = (uint32_t)count;
		/* Searches stop at the first difference. */
		a->partial |= insn->flags & DH_INSN_WRITES_FLAGS;
	}
	if (!count)
		return false;
	if (__builtin_mul_overflow(count, a->size, &a->size))
		a->size = UINT64_MAX;
	if (regs->word[DH_X86_FLAGS] & DH_X86_FLAG_DOWN)
		a->addr -= a->size - m->size;
	return true;
}

int dh_mem_accesses(
	const struct dh_insn *insn, const struct dh_regs *regs, struct dh_mem_access *ret)
{
	int n = 0;

	if (insn->flags & DH_INSN_UNKNOWN)
		return -ENOTSUP;
	for (int i = 0; i < insn->n_mem; i++) {
		if (insn->mem[i].flags & DH_MEM_SCATTERED)
			return -ENOTSUP;
	}
	for (int i = 0; i < insn->n_mem; i++) {
		const struct dh_insn_mem *m = &insn->mem[i];
		struct dh_mem_access a = {
			.addr = address(m, regs),
			.size = m->size,
			.read = m->flags & DH_MEM_READ,
			.write = m->flags & DH_MEM_WRITE,
			.partial = m->flags & DH_MEM_PARTIAL,
		};

		if (m->flags & DH_MEM_STATE)
			a.size = dh_xstate_host_size(
				(regs->word[DH_X86_RDX] << 32) | (uint32_t)regs->word[DH_X86_RAX],
				m->flags & DH_MEM_COMPACT);
		if ((m->flags & DH_MEM_STRING) && !stretch(insn, m, regs, &a))
			continue;
		ret[n++] = a;
	}
	return n;
}
