#include "isa/regs.h"

#include <assert.h>

#include "isa/x86.h"

static_assert(DH_X86_WORDS == DH_REGS_WORDS, "the layout is the kernel's");

/* The system call convention, not the one of functions: the fourth argument is in r10. */
static const uint8_t arg_word[6] = {
	DH_X86_RDI, DH_X86_RSI, DH_X86_RDX, DH_X86_R10, DH_X86_R8, DH_X86_R9};

uint64_t dh_regs_pc(const struct dh_regs *r)
{
	return r->word[DH_X86_RIP];
}

void dh_regs_set_pc(struct dh_regs *r, uint64_t pc)
{
	r->word[DH_X86_RIP] = pc;
}

uint64_t dh_regs_sp(const struct dh_regs *r)
{
	return r->word[DH_X86_RSP];
}

void dh_regs_set_sp(struct dh_regs *r, uint64_t sp)
{
	r->word[DH_X86_RSP] = sp;
}

int64_t dh_regs_syscall(const struct dh_regs *r)
{
	return (int64_t)r->word[DH_X86_ORIG_RAX];
}

uint64_t dh_regs_arg(const struct dh_regs *r, int i)
{
	assert(i >= 0 && i < (int)DH_ARRAY_SIZE(arg_word));
	return r->word[arg_word[i]];
}

void dh_regs_set_arg(struct dh_regs *r, int i, uint64_t v)
{
	assert(i >= 0 && i < (int)DH_ARRAY_SIZE(arg_word));
	r->word[arg_word[i]] = v;
}

int64_t dh_regs_result(const struct dh_regs *r)
{
	return (int64_t)r->word[DH_X86_RAX];
}

void dh_regs_set_result(struct dh_regs *r, int64_t v)
{
	r->word[DH_X86_RAX] = (uint64_t)v;
}

bool dh_regs_equal(const struct dh_regs *a, const struct dh_regs *b)
{
	for (int i = 0; i < DH_REGS_WORDS; i++) {
		uint64_t differ = a->word[i] ^ b->word[i];

		if (i == DH_X86_ORIG_RAX)
			continue;
		if (i == DH_X86_FLAGS)
			differ &= ~(uint64_t)(DH_X86_FLAG_TRAP | DH_X86_FLAG_RESUME);
		if (differ)
			return false;
	}
	return true;
}
