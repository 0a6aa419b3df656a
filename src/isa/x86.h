/* Private to this folder: where each register lies in struct dh_regs (the kernel's
 * struct user_regs_struct), the bits of the flags that the code here names, and the decoder. */
#pragma once
#include <Zydis/Zydis.h>

#include "base/forward.h"

enum dh_x86_word {
	DH_X86_R15,
	DH_X86_R14,
	DH_X86_R13,
	DH_X86_R12,
	DH_X86_RBP,
	DH_X86_RBX,
	DH_X86_R11,
	DH_X86_R10,
	DH_X86_R9,
	DH_X86_R8,
	DH_X86_RAX,
	DH_X86_RCX,
	DH_X86_RDX,
	DH_X86_RSI,
	DH_X86_RDI,
	DH_X86_ORIG_RAX,
	DH_X86_RIP,
	DH_X86_CS,
	DH_X86_FLAGS,
	DH_X86_RSP,
	DH_X86_SS,
	DH_X86_FS_BASE,
	DH_X86_GS_BASE,
	DH_X86_DS,
	DH_X86_ES,
	DH_X86_FS,
	DH_X86_GS,
	DH_X86_WORDS,
};

#define DH_X86_FLAG_CARRY    0x1u
#define DH_X86_FLAG_PARITY   0x4u
#define DH_X86_FLAG_ADJUST   0x10u
#define DH_X86_FLAG_ZERO     0x40u
#define DH_X86_FLAG_SIGN     0x80u
#define DH_X86_FLAG_OVERFLOW 0x800u
#define DH_X86_FLAGS_RESULT  0x8d5u /* all of these: what arithmetic sets */

#define DH_X86_FLAG_TRAP     0x100u
#define DH_X86_FLAG_DOWN     0x400u /* string operations go to lower addresses */
#define DH_X86_FLAG_RESUME   0x10000u

/* One decoded instruction as the decoder gives it. */
struct dh_x86_insn {
	ZydisDecodedInstruction i;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
};

/* 0, -ENODATA: cut off, -EBADMSG: not an instruction. */
int dh_x86_decode(const uint8_t *bytes, size_t n, struct dh_x86_insn *ret);

/* The word of struct dh_regs that holds a general register of any width, or -1. */
int dh_x86_word_of(ZydisRegister reg);

/* The number (0..15) by which instructions encode the general register in a word, or -1. */
int dh_x86_number_of(int word);
