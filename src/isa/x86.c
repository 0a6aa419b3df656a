#include "isa/x86.h"

#include <errno.h>

/* By the number that instructions use: 0 is the accumulator, 4 the stack pointer. */
static const int8_t words[16] = {
	DH_X86_RAX,
	DH_X86_RCX,
	DH_X86_RDX,
	DH_X86_RBX,
	DH_X86_RSP,
	DH_X86_RBP,
	DH_X86_RSI,
	DH_X86_RDI,
	DH_X86_R8,
	DH_X86_R9,
	DH_X86_R10,
	DH_X86_R11,
	DH_X86_R12,
	DH_X86_R13,
	DH_X86_R14,
	DH_X86_R15,
};

/* Zydis 4.0 takes the base-less form with an address-size prefix and an extended register number
 * ("67 41 8b 04 4d disp32") for one with a base and without displacement.  The processor looks at
 * the low three bits only. */
static void mend_missing_base(struct dh_x86_insn *x)
{
	if (x->i.address_width != 32 || !(x->i.attributes & ZYDIS_ATTRIB_HAS_SIB) ||
		x->i.raw.modrm.mod != 0 || x->i.raw.sib.base != 5)
		return;
	for (int k = 0; k < x->i.operand_count; k++) {
		ZydisDecodedOperand *op = &x->op[k];

		if (op->type != ZYDIS_OPERAND_TYPE_MEMORY ||
			op->encoding != ZYDIS_OPERAND_ENCODING_MODRM_RM)
			continue;
		op->mem.base = ZYDIS_REGISTER_NONE;
		op->mem.disp.has_displacement = ZYAN_TRUE;
		op->mem.disp.value = x->i.raw.disp.value;
	}
}

int dh_x86_decode(const uint8_t *bytes, size_t n, struct dh_x86_insn *ret)
{
	ZydisDecoder decoder;
	ZyanStatus status;

	/* Initialising is a handful of stores; keeping no state makes this safe in any thread. */
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	/* Linux has dropped bound registers: where they exist at all they are never enabled. */
	ZydisDecoderEnableMode(&decoder, ZYDIS_DECODER_MODE_MPX, ZYAN_FALSE);
	status = ZydisDecoderDecodeFull(&decoder, bytes, n, &ret->i, ret->op);
	if (ZYAN_SUCCESS(status)) {
		mend_missing_base(ret);
		return 0;
	}
	return status == ZYDIS_STATUS_NO_MORE_DATA ? -ENODATA : -EBADMSG;
}

int dh_x86_word_of(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15)
		return -1;
	return words[whole - ZYDIS_REGISTER_RAX];
}

int dh_x86_number_of(int word)
{
	for (int i = 0; i < 16; i++) {
		if (words[i] == word)
			return i;
	}
	return -1;
}
