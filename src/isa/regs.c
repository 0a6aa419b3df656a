#include "isa/regs.h"

#include <assert.h>
#include <errno.h>
#include <xxhash.h>

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

uint64_t dh_regs_thread(const struct dh_regs *r)
{
	return r->word[DH_X86_FS_BASE];
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

void dh_regs_dwarf(const struct dh_regs *r, uint64_t ret[DH_REGS_DWARF])
{
	static const uint8_t order[DH_REGS_DWARF] = {DH_X86_RAX, DH_X86_RDX, DH_X86_RCX, DH_X86_RBX,
		DH_X86_RSI, DH_X86_RDI, DH_X86_RBP, DH_X86_RSP, DH_X86_R8, DH_X86_R9, DH_X86_R10,
		DH_X86_R11, DH_X86_R12, DH_X86_R13, DH_X86_R14, DH_X86_R15, DH_X86_RIP};

	for (int i = 0; i < DH_REGS_DWARF; i++)
		ret[i] = r->word[order[i]];
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

uint64_t dh_regs_hash(const struct dh_regs *r)
{
	struct dh_regs copy = *r;

	copy.word[DH_X86_ORIG_RAX] = 0;
	copy.word[DH_X86_FLAGS] &= ~(uint64_t)(DH_X86_FLAG_TRAP | DH_X86_FLAG_RESUME);
	return XXH3_64bits(copy.word, sizeof(copy.word));
}

void dh_regs_begin_syscall(struct dh_regs *r, int64_t nr, const uint64_t args[6], uint64_t at)
{
	r->word[DH_X86_RAX] = (uint64_t)nr;
	r->word[DH_X86_ORIG_RAX] = (uint64_t)-1;
	for (int i = 0; i < 6; i++)
		r->word[arg_word[i]] = args[i];
	r->word[DH_X86_RIP] = at;
	dh_regs_clear_trap(r);
}

void dh_regs_finish_syscall(struct dh_regs *r, int64_t result)
{
	r->word[DH_X86_RAX] = (uint64_t)result;
	r->word[DH_X86_ORIG_RAX] = (uint64_t)-1;
}

void dh_regs_change_syscall(struct dh_regs *r, int64_t nr)
{
	r->word[DH_X86_ORIG_RAX] = (uint64_t)nr;
}

void dh_regs_restart_syscall(struct dh_regs *r, int64_t nr)
{
	r->word[DH_X86_RAX] = (uint64_t)nr;
	r->word[DH_X86_ORIG_RAX] = (uint64_t)-1;
	r->word[DH_X86_RIP] -= 2; /* the length of "syscall" */
}

void dh_regs_finish_tsc(struct dh_regs *r, uint64_t tsc, uint32_t aux, int length)
{
	r->word[DH_X86_RAX] = (uint32_t)tsc;
	r->word[DH_X86_RDX] = tsc >> 32;
	if (length == 3)
		r->word[DH_X86_RCX] = aux;
	r->word[DH_X86_RIP] += (uint64_t)length;
}

void dh_regs_clear_trap(struct dh_regs *r)
{
	r->word[DH_X86_FLAGS] &= ~(uint64_t)DH_X86_FLAG_TRAP;
}

bool dh_regs_trap(const struct dh_regs *r)
{
	return r->word[DH_X86_FLAGS] & DH_X86_FLAG_TRAP;
}

void dh_regs_clear_saved_trap(struct dh_regs *r)
{
	r->word[DH_X86_R11] &= ~(uint64_t)DH_X86_FLAG_TRAP;
}

void dh_regs_enter_syscall(struct dh_regs *r)
{
	r->word[DH_X86_RIP] += 2;
	r->word[DH_X86_RCX] = r->word[DH_X86_RIP];
	r->word[DH_X86_R11] = r->word[DH_X86_FLAGS];
	r->word[DH_X86_RAX] = (uint64_t)-ENOSYS;
}

int64_t dh_regs_next_syscall(const struct dh_regs *r)
{
	return (int64_t)r->word[DH_X86_RAX];
}

uint64_t dh_regs_flags(const struct dh_regs *r)
{
	return r->word[DH_X86_FLAGS];
}

void dh_regs_set_flags(struct dh_regs *r, uint64_t v)
{
	r->word[DH_X86_FLAGS] = v;
}

void dh_regs_compare_result(struct dh_regs *r, int32_t with, bool narrow)
{
	const uint64_t mask = narrow ? UINT32_MAX : UINT64_MAX,
		       sign = narrow ? 1ull << 31 : 1ull << 63;
	uint64_t a = r->word[DH_X86_RAX] & mask, b = (uint64_t)(int64_t)with & mask;
	uint64_t d = (a - b) & mask, flags = r->word[DH_X86_FLAGS] & ~(uint64_t)DH_X86_FLAGS_RESULT;

	flags |= a < b ? DH_X86_FLAG_CARRY : 0;
	flags |= __builtin_parity((unsigned)(d & 0xff)) ? 0 : DH_X86_FLAG_PARITY;
	flags |= (a ^ b ^ d) & DH_X86_FLAG_ADJUST;
	flags |= d ? 0 : DH_X86_FLAG_ZERO;
	flags |= d & sign ? DH_X86_FLAG_SIGN : 0;
	flags |= (a ^ b) & (a ^ d) & sign ? DH_X86_FLAG_OVERFLOW : 0;
	r->word[DH_X86_FLAGS] = flags;
}

void dh_regs_set_call_end(struct dh_regs *r, uint64_t end)
{
	r->word[DH_X86_RIP] = end;
	r->word[DH_X86_RCX] = end;
	r->word[DH_X86_R11] = r->word[DH_X86_FLAGS];
}
