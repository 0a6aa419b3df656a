#include "isa/insn.h"

#include <errno.h>

#include "isa/x86.h"

/* What the name of the instruction alone tells. */
static const uint32_t by_mnemonic[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
	[ZYDIS_MNEMONIC_SYSCALL] = DH_INSN_SYSCALL,
	[ZYDIS_MNEMONIC_SYSENTER] = DH_INSN_SYSCALL32,
	[ZYDIS_MNEMONIC_RDTSC] = DH_INSN_CLOCK,
	[ZYDIS_MNEMONIC_RDTSCP] = DH_INSN_CLOCK | DH_INSN_MACHINE,
	[ZYDIS_MNEMONIC_TPAUSE] = DH_INSN_CLOCK,
	[ZYDIS_MNEMONIC_UMWAIT] = DH_INSN_CLOCK,
	[ZYDIS_MNEMONIC_UMONITOR] = DH_INSN_CLOCK,
	[ZYDIS_MNEMONIC_MWAITX] = DH_INSN_CLOCK,
	[ZYDIS_MNEMONIC_MONITORX] = DH_INSN_CLOCK,
	[ZYDIS_MNEMONIC_RDPRU] = DH_INSN_CLOCK | DH_INSN_MACHINE,
	[ZYDIS_MNEMONIC_RDRAND] = DH_INSN_RANDOM,
	[ZYDIS_MNEMONIC_RDSEED] = DH_INSN_RANDOM,
	[ZYDIS_MNEMONIC_XSTORE] = DH_INSN_RANDOM,
	[ZYDIS_MNEMONIC_CPUID] = DH_INSN_CPUID,
	[ZYDIS_MNEMONIC_RDPID] = DH_INSN_MACHINE,
	[ZYDIS_MNEMONIC_RDPMC] = DH_INSN_MACHINE,
	[ZYDIS_MNEMONIC_SGDT] = DH_INSN_MACHINE,
	[ZYDIS_MNEMONIC_SIDT] = DH_INSN_MACHINE,
	[ZYDIS_MNEMONIC_SLDT] = DH_INSN_MACHINE,
	[ZYDIS_MNEMONIC_SMSW] = DH_INSN_MACHINE,
	[ZYDIS_MNEMONIC_STR] = DH_INSN_MACHINE,
	[ZYDIS_MNEMONIC_LAR] = DH_INSN_MACHINE,
	[ZYDIS_MNEMONIC_LSL] = DH_INSN_MACHINE, /* the CPU's number, as the vDSO reads it */
	[ZYDIS_MNEMONIC_INT] = DH_INSN_TRAP,
	[ZYDIS_MNEMONIC_INT1] = DH_INSN_TRAP,
	[ZYDIS_MNEMONIC_INT3] = DH_INSN_TRAP,
	[ZYDIS_MNEMONIC_UD0] = DH_INSN_INVALID,
	[ZYDIS_MNEMONIC_UD1] = DH_INSN_INVALID,
	[ZYDIS_MNEMONIC_UD2] = DH_INSN_INVALID,
	[ZYDIS_MNEMONIC_CLI] = DH_INSN_PRIVILEGED,
	[ZYDIS_MNEMONIC_STI] = DH_INSN_PRIVILEGED,
	[ZYDIS_MNEMONIC_IN] = DH_INSN_PRIVILEGED,
	[ZYDIS_MNEMONIC_OUT] = DH_INSN_PRIVILEGED,
	[ZYDIS_MNEMONIC_VMCALL] = DH_INSN_PRIVILEGED,
	[ZYDIS_MNEMONIC_VMMCALL] = DH_INSN_PRIVILEGED,
	[ZYDIS_MNEMONIC_VMFUNC] = DH_INSN_PRIVILEGED,
	[ZYDIS_MNEMONIC_ENCLU] = DH_INSN_PRIVILEGED,
	[ZYDIS_MNEMONIC_XBEGIN] = DH_INSN_TRANSACTION,
	[ZYDIS_MNEMONIC_XEND] = DH_INSN_TRANSACTION,
	[ZYDIS_MNEMONIC_XABORT] = DH_INSN_TRANSACTION,
	[ZYDIS_MNEMONIC_POPF] = DH_INSN_SETS_TRAP,
	[ZYDIS_MNEMONIC_POPFD] = DH_INSN_SETS_TRAP,
	[ZYDIS_MNEMONIC_POPFQ] = DH_INSN_SETS_TRAP,
	[ZYDIS_MNEMONIC_IRET] = DH_INSN_SETS_TRAP | DH_INSN_FAR | DH_INSN_BRANCH | DH_INSN_INDIRECT,
	[ZYDIS_MNEMONIC_IRETD] =
		DH_INSN_SETS_TRAP | DH_INSN_FAR | DH_INSN_BRANCH | DH_INSN_INDIRECT,
	[ZYDIS_MNEMONIC_IRETQ] =
		DH_INSN_SETS_TRAP | DH_INSN_FAR | DH_INSN_BRANCH | DH_INSN_INDIRECT,
	[ZYDIS_MNEMONIC_PUSHF] = DH_INSN_SHOWS_TRAP,
	[ZYDIS_MNEMONIC_PUSHFD] = DH_INSN_SHOWS_TRAP,
	[ZYDIS_MNEMONIC_PUSHFQ] = DH_INSN_SHOWS_TRAP,
	[ZYDIS_MNEMONIC_WRFSBASE] = DH_INSN_SEGMENT,
	[ZYDIS_MNEMONIC_WRGSBASE] = DH_INSN_SEGMENT,
};

/* These name a memory operand but do not touch the bytes there. */
static bool names_without_access(const ZydisDecodedInstruction *i)
{
	switch (i->meta.category) {
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_PREFETCHWT1:
	case ZYDIS_CATEGORY_CLDEMOTE:
		return true;
	default:
		return false;
	}
}

static uint32_t category_flags(const ZydisDecodedInstruction *i)
{
	switch (i->meta.category) {
	case ZYDIS_CATEGORY_CALL:
		return DH_INSN_BRANCH | DH_INSN_CALL;
	case ZYDIS_CATEGORY_RET:
		return DH_INSN_BRANCH | DH_INSN_RETURN | DH_INSN_INDIRECT;
	case ZYDIS_CATEGORY_COND_BR:
		return i->meta.branch_type ? DH_INSN_BRANCH | DH_INSN_CONDITIONAL : 0;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return i->meta.branch_type ? DH_INSN_BRANCH : 0;
	case ZYDIS_CATEGORY_STRINGOP:
		return DH_INSN_STRING;
	case ZYDIS_CATEGORY_IOSTRINGOP:
		return DH_INSN_STRING | DH_INSN_PRIVILEGED;
	case ZYDIS_CATEGORY_X87_ALU:
	case ZYDIS_CATEGORY_FCMOV:
		return DH_INSN_X87;
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
		return DH_INSN_NOP;
	default:
		return 0;
	}
}

static uint32_t attribute_flags(const ZydisDecodedInstruction *i)
{
	uint32_t flags = 0;

	if (i->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED)
		flags |= DH_INSN_PRIVILEGED;
	if (i->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE))
		flags |= DH_INSN_REPEAT;
	if (i->attributes & ZYDIS_ATTRIB_HAS_LOCK)
		flags |= DH_INSN_ATOMIC;
	if (i->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
		flags |= DH_INSN_FAR;
	if (i->cpu_flags && i->cpu_flags->tested)
		flags |= DH_INSN_READS_FLAGS;
	if (i->cpu_flags && (i->cpu_flags->modified | i->cpu_flags->set_0 | i->cpu_flags->set_1 |
				    i->cpu_flags->undefined))
		flags |= DH_INSN_WRITES_FLAGS;
	return flags;
}

static bool loads_segment(const struct dh_x86_insn *x)
{
	for (int k = 0; k < x->i.operand_count; k++) {
		if (x->op[k].type == ZYDIS_OPERAND_TYPE_REGISTER &&
			ZydisRegisterGetClass(x->op[k].reg.value) == ZYDIS_REGCLASS_SEGMENT &&
			(x->op[k].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			return true;
	}
	return false;
}

/* Registers and immediates among the operands: branch targets, segments, interrupt numbers. */
static uint32_t operand_flags(const struct dh_x86_insn *x, struct dh_insn *ret)
{
	const ZydisDecodedOperand *op = &x->op[0];

	if (x->i.mnemonic == ZYDIS_MNEMONIC_INT && op->imm.value.u == 0x80)
		return DH_INSN_SYSCALL32;
	if (x->i.mnemonic == ZYDIS_MNEMONIC_XCHG && ret->n_mem)
		return DH_INSN_ATOMIC; /* locked with or without the prefix */
	if (loads_segment(x) && !(ret->flags & (DH_INSN_SYSCALL | DH_INSN_SYSCALL32)))
		return DH_INSN_SEGMENT;
	if (!(ret->flags & DH_INSN_BRANCH) || (ret->flags & DH_INSN_RETURN))
		return 0;
	if (op->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && op->imm.is_relative) {
		ret->target = ret->pc + x->i.length + op->imm.value.u;
		return 0;
	}
	return DH_INSN_INDIRECT;
}

static uint32_t kind_flags(const struct dh_x86_insn *x)
{
	uint32_t flags = by_mnemonic[x->i.mnemonic];

	if (flags & DH_INSN_TRANSACTION)
		return flags | attribute_flags(&x->i);
	flags |= category_flags(&x->i) | attribute_flags(&x->i);
	if (flags & DH_INSN_SETS_TRAP && flags & DH_INSN_FAR)
		flags &= ~(uint32_t)DH_INSN_RETURN; /* leaves an interrupt, not a function */
	return flags;
}

static int8_t segment_word(ZydisRegister segment)
{
	if (segment == ZYDIS_REGISTER_FS)
		return DH_X86_FS_BASE;
	if (segment == ZYDIS_REGISTER_GS)
		return DH_X86_GS_BASE;
	return -1; /* the other bases are 0 in 64-bit mode */
}

static uint16_t action_flags(const ZydisDecodedOperand *op)
{
	uint16_t flags = 0;

	if (op->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		flags |= DH_MEM_READ;
	if (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		flags |= DH_MEM_WRITE;
	return flags;
}

/* Masked vector moves touch the elements that a mask register selects. */
static bool is_masked(const ZydisDecodedInstruction *i)
{
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_MASKMOVQ:
	case ZYDIS_MNEMONIC_MASKMOVDQU:
	case ZYDIS_MNEMONIC_VMASKMOVDQU:
	case ZYDIS_MNEMONIC_VMASKMOVPS:
	case ZYDIS_MNEMONIC_VMASKMOVPD:
	case ZYDIS_MNEMONIC_VPMASKMOVD:
	case ZYDIS_MNEMONIC_VPMASKMOVQ:
		return true;
	default:
		return i->avx.mask.reg != ZYDIS_REGISTER_NONE &&
		       i->avx.mask.reg != ZYDIS_REGISTER_K0;
	}
}

static uint16_t state_flags(const ZydisDecodedInstruction *i)
{
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_XSAVEC:
	case ZYDIS_MNEMONIC_XSAVEC64:
	case ZYDIS_MNEMONIC_XSAVES:
	case ZYDIS_MNEMONIC_XSAVES64:
		return DH_MEM_STATE | DH_MEM_COMPACT | DH_MEM_PARTIAL;
	case ZYDIS_MNEMONIC_XSAVE:
	case ZYDIS_MNEMONIC_XSAVE64:
	case ZYDIS_MNEMONIC_XSAVEOPT:
	case ZYDIS_MNEMONIC_XSAVEOPT64:
	case ZYDIS_MNEMONIC_XRSTOR: /* of either format: the standard one is the larger */
	case ZYDIS_MNEMONIC_XRSTOR64:
		return DH_MEM_STATE | DH_MEM_PARTIAL;
	default:
		return 0;
	}
}

static void fix_stack(
	const struct dh_x86_insn *x, const ZydisDecodedOperand *op, struct dh_insn_mem *m)
{
	if (op->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN) {
		/* "pop [sp+8]" forms the address after the pop. */
		if (x->i.mnemonic == ZYDIS_MNEMONIC_POP && m->base == DH_X86_RSP)
			m->disp += m->size;
		return;
	}
	if (m->base != DH_X86_RSP && x->i.mnemonic != ZYDIS_MNEMONIC_LEAVE)
		return;
	m->flags |= DH_MEM_STACK;
	if (m->flags & DH_MEM_WRITE)
		m->disp -= m->size;
}

/* The stack is always addressed in full; everything else follows the address-size prefix. */
static bool is_narrow(const struct dh_x86_insn *x, const ZydisDecodedOperand *op)
{
	return x->i.address_width == 32 && (op->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN ||
						   op->mem.base != ZYDIS_REGISTER_RSP);
}

static uint16_t mem_flags(
	const struct dh_x86_insn *x, const ZydisDecodedOperand *op, const struct dh_insn *insn)
{
	uint16_t flags = action_flags(op) | state_flags(&x->i);

	if (op->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
		flags |= DH_MEM_SCATTERED;
	if (insn->flags & DH_INSN_STRING)
		flags |= DH_MEM_STRING;
	if (is_narrow(x, op))
		flags |= DH_MEM_NARROW;
	if (is_masked(&x->i))
		flags |= DH_MEM_PARTIAL;
	if (op->mem.base == ZYDIS_REGISTER_RIP || op->mem.base == ZYDIS_REGISTER_EIP)
		flags |= DH_MEM_PC;
	return flags;
}

static void add_mem(const struct dh_x86_insn *x, const ZydisDecodedOperand *op, struct dh_insn *ret)
{
	struct dh_insn_mem *m = &ret->mem[ret->n_mem];

	if (op->mem.type != ZYDIS_MEMOP_TYPE_MEM && op->mem.type != ZYDIS_MEMOP_TYPE_VSIB)
		return;
	if (ret->n_mem == DH_INSN_MAX_MEM || names_without_access(&x->i))
		return;
	ret->n_mem++;
	*m = (struct dh_insn_mem){
		.segment = segment_word(op->mem.segment),
		.base = (int8_t)dh_x86_word_of(op->mem.base),
		.index = (int8_t)dh_x86_word_of(op->mem.index),
		.scale = op->mem.scale,
		.index_bits = 64,
		.bits = -1,
		.flags = mem_flags(x, op, ret),
		.size = (uint32_t)op->size / 8,
		.disp = op->mem.disp.value,
	};
	if (m->flags & DH_MEM_PC)
		m->disp += (int64_t)(ret->pc + x->i.length);
	fix_stack(x, op, m);
}

/* What the decoder's tables leave out. */
static void add_odd(const struct dh_x86_insn *x, struct dh_insn *ret)
{
	struct dh_insn_mem *m = &ret->mem[0];

	switch (x->i.mnemonic) {
	case ZYDIS_MNEMONIC_XLAT:
		m->index = DH_X86_RAX;
		m->index_bits = 8;
		m->scale = 1;
		break;
	case ZYDIS_MNEMONIC_CLZERO: /* a whole cache line around the address */
		*m = (struct dh_insn_mem){.segment = -1,
			.base = DH_X86_RAX,
			.index = -1,
			.bits = -1,
			.flags = DH_MEM_WRITE | DH_MEM_SCATTERED,
			.size = 64};
		ret->n_mem = 1;
		break;
	case ZYDIS_MNEMONIC_ENTER:
		if (x->op[1].imm.value.u)
			m->flags |= DH_MEM_SCATTERED; /* copies frame pointers */
		break;
	case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_BTC:
	case ZYDIS_MNEMONIC_BTR:
	case ZYDIS_MNEMONIC_BTS:
		/* With the number in a register they reach any word around the operand. */
		if (ret->n_mem && x->op[1].type == ZYDIS_OPERAND_TYPE_REGISTER)
			m->bits = (int8_t)dh_x86_word_of(x->op[1].reg.value);
		break;
	default:
		break;
	}
}

static void add_all_mem(const struct dh_x86_insn *x, struct dh_insn *ret)
{
	bool tile = x->i.meta.category == ZYDIS_CATEGORY_AMX_TILE;

	for (int k = 0; k < x->i.operand_count; k++) {
		if (x->op[k].type == ZYDIS_OPERAND_TYPE_MEMORY)
			add_mem(x, &x->op[k], ret);
	}
	add_odd(x, ret);
	for (int k = 0; tile && k < ret->n_mem; k++)
		ret->mem[k].flags |= DH_MEM_SCATTERED;
}

int dh_insn_decode(const uint8_t *bytes, size_t n, uint64_t pc, struct dh_insn *ret)
{
	struct dh_insn insn = {.pc = pc, .length = 1, .flags = DH_INSN_UNKNOWN};
	struct dh_x86_insn x;
	int r = dh_x86_decode(bytes, DH_MIN(n, (size_t)DH_INSN_MAX_LENGTH), &x);

	if (r == -ENODATA && n < DH_INSN_MAX_LENGTH)
		return r;
	if (r == 0) {
		insn.length = x.i.length;
		insn.flags = kind_flags(&x);
		add_all_mem(&x, &insn);
		insn.flags |= operand_flags(&x, &insn);
	}
	*ret = insn;
	return 0;
}
