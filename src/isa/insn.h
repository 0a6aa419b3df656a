/* One machine instruction: its length, what kind it is, where it goes and which memory it names.
 * Pure: works on bytes that the caller has read from a process, and needs no register values
 * (isa/access.h adds those).  Any thread.
 * Registers appear only as indices into struct dh_regs.word. */
#pragma once
#include "base/forward.h"

#define DH_INSN_MAX_LENGTH 15
#define DH_INSN_MAX_MEM    4

enum dh_insn_flag {
	DH_INSN_UNKNOWN = 1 << 0,   /* not an instruction that the decoder knows; length is 1 */
	DH_INSN_SYSCALL = 1 << 1,   /* the native system call */
	DH_INSN_SYSCALL32 = 1 << 2, /* a system call by one of the 32-bit ways */
	DH_INSN_CLOCK = 1 << 3,     /* reads a time stamp or waits for one */
	DH_INSN_RANDOM = 1 << 4,
	DH_INSN_CPUID = 1 << 5,
	DH_INSN_MACHINE = 1 << 6, /* reads other state of the machine: the CPU's number, counters */
	DH_INSN_REPEAT = 1 << 7,  /* string operation with a count; may be interrupted inside */
	DH_INSN_STRING = 1 << 8,  /* string operation, counted or not */
	DH_INSN_BRANCH = 1 << 9,  /* jump, call or return */
	DH_INSN_CONDITIONAL = 1 << 10, /* a branch that may fall through */
	DH_INSN_CALL = 1 << 11,
	DH_INSN_RETURN = 1 << 12,
	DH_INSN_INDIRECT = 1 << 13,   /* target comes from a register or memory */
	DH_INSN_FAR = 1 << 14,        /* changes the code segment too */
	DH_INSN_TRAP = 1 << 15,       /* breakpoints and software interrupts */
	DH_INSN_INVALID = 1 << 16,    /* defined to be undefined */
	DH_INSN_PRIVILEGED = 1 << 17, /* faults in user mode (ports and interrupt flag included) */
	DH_INSN_TRANSACTION = 1 << 18,
	DH_INSN_SETS_TRAP = 1 << 19,  /* may change the trap flag */
	DH_INSN_SHOWS_TRAP = 1 << 20, /* stores the flags, a single step's trap flag included */
	DH_INSN_READS_FLAGS = 1 << 21,
	DH_INSN_WRITES_FLAGS = 1 << 22,
	DH_INSN_ATOMIC = 1 << 23,  /* locked */
	DH_INSN_X87 = 1 << 24,     /* leaves its own address in the x87 state */
	DH_INSN_NOP = 1 << 26,     /* does nothing, of any length */
	DH_INSN_SEGMENT = 1 << 25, /* changes a segment register or its base */
};

enum dh_insn_mem_flag {
	DH_MEM_READ = 1 << 0,
	DH_MEM_WRITE = 1 << 1,
	DH_MEM_PARTIAL =
		1 << 2,         /* some bytes may be left out (masks, conditions): an upper bound */
	DH_MEM_STACK = 1 << 3,  /* implied by push, pop, call, return */
	DH_MEM_STRING = 1 << 4, /* moves by its size at each repetition */
	DH_MEM_NARROW = 1 << 5, /* the address is taken modulo 2^32 */
	DH_MEM_PC = 1 << 6,     /* was relative to the instruction; disp is absolute already */
	DH_MEM_STATE = 1 << 7,  /* extended state: the size depends on registers */
	DH_MEM_COMPACT = 1 << 8,   /* with DH_MEM_STATE: without gaps */
	DH_MEM_SCATTERED = 1 << 9, /* one address per vector element: not computed here */
};

/* address = segment base + base + index * scale + disp */
struct dh_insn_mem {
	int8_t segment, base, index; /* words of struct dh_regs, -1: none */
	int8_t bits;                 /* a word that counts bits from there, in units of size */
	uint8_t scale;
	uint8_t index_bits; /* of the index register, 64 mostly */
	uint16_t flags;     /* DH_MEM_* */
	uint32_t size;      /* bytes; of one element for string operations */
	int64_t disp;
};

struct dh_insn {
	uint64_t pc;
	uint64_t target; /* of direct branches, else 0 */
	uint32_t flags;  /* DH_INSN_* */
	uint8_t length;
	uint8_t n_mem;
	struct dh_insn_mem mem[DH_INSN_MAX_MEM];
};

/* Decodes the instruction that begins at bytes[0] and lies at pc.
 * 0, or -ENODATA when n bytes end inside it.  What is no valid instruction is not an error:
 * it is DH_INSN_UNKNOWN, of length 1, so that a scan can go on behind it. */
int dh_insn_decode(const uint8_t *bytes, size_t n, uint64_t pc, struct dh_insn *ret);
