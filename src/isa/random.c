#include "isa/random.h"

#include <elf.h>
#include <string.h>

#include "isa/insn.h"
#include "isa/regs.h"
#include "isa/x86.h"

#define FUNCTION_MAX 65536u /* a longer way to a candidate is not gone */
#define HEADERS_MAX  64

/* .eh_frame_hdr with the encodings that linkers make: a pointer, a count, and a sorted table of
 * where functions begin, relative to the header. */
struct table {
	const uint8_t *entries;
	uint64_t n, at; /* at: address of the header */
};

struct image {
	const uint8_t *file;
	size_t n;
	Elf64_Phdr headers[HEADERS_MAX];
	unsigned n_headers;
	struct table table;
};

static bool inside(const struct image *m, const Elf64_Phdr *p)
{
	return p->p_offset <= m->n && p->p_filesz <= m->n - p->p_offset;
}

static bool read_headers(struct image *m)
{
	Elf64_Ehdr e;

	if (m->n < sizeof(e))
		return false;
	memcpy(&e, m->file, sizeof(e));
	if (memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 || e.e_ident[EI_CLASS] != ELFCLASS64 ||
		e.e_phentsize != sizeof(Elf64_Phdr) || e.e_phnum > HEADERS_MAX ||
		e.e_phoff > m->n || e.e_phnum * sizeof(Elf64_Phdr) > m->n - e.e_phoff)
		return false;
	m->n_headers = e.e_phnum;
	memcpy(m->headers, m->file + e.e_phoff, e.e_phnum * sizeof(Elf64_Phdr));
	return true;
}

static void read_table(struct image *m, const Elf64_Phdr *p)
{
	static const uint8_t usual[4] = {1, 0x1b, 0x03, 0x3b};
	const uint8_t *at = m->file + p->p_offset;
	uint32_t count;

	if (!inside(m, p) || p->p_filesz < 12 || memcmp(at, usual, sizeof(usual)) != 0)
		return;
	memcpy(&count, at + 8, sizeof(count));
	m->table = (struct table){
		at + 12, DH_MIN((uint64_t)count, (p->p_filesz - 12) / 8), p->p_vaddr};
}

static uint64_t begin_of(const struct table *t, uint64_t i)
{
	int32_t relative;

	memcpy(&relative, t->entries + i * 8, sizeof(relative));
	return t->at + (uint64_t)(int64_t)relative;
}

/* Where the function around an address begins, or 0. */
static uint64_t function_of(const struct table *t, uint64_t addr)
{
	uint64_t lo = 0, hi = t->n;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (begin_of(t, mid) > addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo ? begin_of(t, lo - 1) : 0;
}

/* The instruction that has the byte at `offset`, if it is the one: its own offset, or 0. */
static uint64_t reach(const struct image *m, const Elf64_Phdr *p, uint64_t offset)
{
	uint64_t from = function_of(&m->table, p->p_vaddr + (offset - p->p_offset));
	uint64_t at = from - p->p_vaddr + p->p_offset;
	uint64_t end = p->p_offset + p->p_filesz;
	struct dh_insn insn;

	if (!from || from < p->p_vaddr || at > offset || offset - at > FUNCTION_MAX)
		return 0;
	while (at <= offset) {
		if (dh_insn_decode(m->file + at, end - at, 0, &insn) < 0 ||
			(insn.flags & DH_INSN_UNKNOWN))
			return 0;
		if (at + insn.length > offset)
			return insn.flags & DH_INSN_RANDOM ? at : 0;
		at += insn.length;
	}
	return 0;
}

static int search(const struct image *m, const Elf64_Phdr *p, uint64_t *ret, int max)
{
	uint64_t at = p->p_offset, end = p->p_offset + p->p_filesz;
	int n = 0;

	while (n < max && at + 3 <= end) {
		const uint8_t *hit = memmem(m->file + at, end - at, "\x0f\xc7", 2);
		uint64_t offset;

		if (!hit || hit + 3 > m->file + end)
			break;
		at = (uint64_t)(hit - m->file) + 1;
		if (hit[2] < 0xf0)
			continue;
		offset = reach(m, p, at - 1);
		if (offset)
			ret[n++] = offset;
	}
	return n;
}

int dh_random_sites(const uint8_t *file, size_t n, uint64_t *ret, int max)
{
	struct image m = {.file = file, .n = n};
	int found = 0;

	if (!read_headers(&m))
		return 0;
	for (unsigned i = 0; i < m.n_headers; i++) {
		if (m.headers[i].p_type == PT_GNU_EH_FRAME)
			read_table(&m, &m.headers[i]);
	}
	for (unsigned i = 0; i < m.n_headers && m.table.n; i++) {
		const Elf64_Phdr *p = &m.headers[i];

		if (p->p_type == PT_LOAD && (p->p_flags & PF_X) && inside(&m, p))
			found += search(&m, p, ret + found, max - found);
	}
	return found;
}

bool dh_random_finish(struct dh_regs *regs, const uint8_t *bytes, size_t n, uint64_t value)
{
	struct dh_x86_insn x;
	uint64_t *to;
	int word;

	if (dh_x86_decode(bytes, n, &x) < 0 ||
		(x.i.mnemonic != ZYDIS_MNEMONIC_RDRAND && x.i.mnemonic != ZYDIS_MNEMONIC_RDSEED))
		return false;
	word = dh_x86_word_of(x.op[0].reg.value);
	if (word < 0)
		return false;
	to = &regs->word[word];
	switch (x.i.operand_width) {
	case 16:
		*to = (*to & ~0xffffull) | (value & 0xffff);
		break;
	case 32:
		*to = (uint32_t)value;
		break;
	default:
		*to = value;
		break;
	}
	regs->word[DH_X86_FLAGS] &= ~(uint64_t)DH_X86_FLAGS_RESULT;
	regs->word[DH_X86_FLAGS] |= DH_X86_FLAG_CARRY;
	regs->word[DH_X86_RIP] += x.i.length;
	return true;
}
