#include "../unit.h"

#include <errno.h>

#include "isa/insn.h"
#include "isa/regs.h"
#include "isa/x86.h"

#define PC 0x1000

static struct dh_insn decode(const char *bytes, size_t n)
{
	struct dh_insn insn;

	assert_int_equal(dh_insn_decode((const uint8_t *)bytes, n, PC, &insn), 0);
	return insn;
}

#define DECODE(literal) decode(literal, sizeof(literal) - 1)

static void kinds(void **state)
{
	static const struct {
		const char *bytes;
		uint8_t n;
		uint32_t flags; /* exactly these, the flags register left aside */
	} row[] = {
		{"\x0f\x05", 2, DH_INSN_SYSCALL},
		{"\x0f\x34", 2, DH_INSN_SYSCALL32},
		{"\xcd\x80", 2, DH_INSN_TRAP | DH_INSN_SYSCALL32},
		{"\xcd\x81", 2, DH_INSN_TRAP},
		{"\xcc", 1, DH_INSN_TRAP},
		{"\x0f\x31", 2, DH_INSN_CLOCK},
		{"\x0f\x01\xf9", 3, DH_INSN_CLOCK | DH_INSN_MACHINE},
		{"\x0f\xc7\xf0", 3, DH_INSN_RANDOM},
		{"\x48\x0f\xc7\xf9", 4, DH_INSN_RANDOM},
		{"\x0f\xa2", 2, DH_INSN_CPUID},
		{"\xf3\x0f\xc7\xf8", 4, DH_INSN_MACHINE},
		{"\xf3\xa4", 2, DH_INSN_STRING | DH_INSN_REPEAT},
		{"\xa4", 1, DH_INSN_STRING},
		{"\xf2\xae", 2, DH_INSN_STRING | DH_INSN_REPEAT},
		{"\xf4", 1, DH_INSN_PRIVILEGED},
		{"\xfa", 1, DH_INSN_PRIVILEGED},
		{"\xe4\x10", 2, DH_INSN_PRIVILEGED},
		{"\x0f\x0b", 2, DH_INSN_INVALID},
		{"\xc7\xf8\x00\x00\x00\x00", 6, DH_INSN_TRANSACTION},
		{"\x9d", 1, DH_INSN_SETS_TRAP},
		{"\x9c", 1, DH_INSN_SHOWS_TRAP},
		{"\xc3", 1, DH_INSN_BRANCH | DH_INSN_RETURN | DH_INSN_INDIRECT},
		{"\xff\xd0", 2, DH_INSN_BRANCH | DH_INSN_CALL | DH_INSN_INDIRECT},
		{"\xff\x20", 2, DH_INSN_BRANCH | DH_INSN_INDIRECT},
		{"\xff\x28", 2, DH_INSN_BRANCH | DH_INSN_INDIRECT | DH_INSN_FAR},
		{"\x48\xcf", 2,
			DH_INSN_BRANCH | DH_INSN_INDIRECT | DH_INSN_FAR | DH_INSN_SETS_TRAP},
		{"\xf0\x48\x0f\xb1\x0f", 5, DH_INSN_ATOMIC},
		{"\x48\x87\x07", 3, DH_INSN_ATOMIC},
		{"\x48\x87\xc7", 3, 0},
		{"\xd9\xe8", 2, DH_INSN_X87},
		{"\x8e\xe0", 2, DH_INSN_SEGMENT},
		{"\xf3\x48\x0f\xae\xd0", 5, DH_INSN_SEGMENT},
		{"\x90", 1, DH_INSN_NOP},
		{"\x66\x90", 2, DH_INSN_NOP},
		{"\x0f\x1f\x44\x00\x00", 5, DH_INSN_NOP},
		{"\xf3\x90", 2, 0},
	};

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(row); i++) {
		struct dh_insn insn = decode(row[i].bytes, row[i].n);
		uint32_t flags =
			insn.flags & ~(uint32_t)(DH_INSN_READS_FLAGS | DH_INSN_WRITES_FLAGS);

		assert_int_equal(insn.length, row[i].n);
		assert_int_equal(flags, row[i].flags);
	}
}

static void branches_know_their_target(void **state)
{
	struct dh_insn insn;

	(void)state;
	insn = DECODE("\xe8\x00\x01\x00\x00");
	assert_int_equal(insn.flags & ~DH_INSN_READS_FLAGS, DH_INSN_BRANCH | DH_INSN_CALL);
	assert_int_equal(insn.target, PC + 0x105);
	insn = DECODE("\x74\xfe");
	assert_int_equal(insn.target, PC);
	assert_true(insn.flags & DH_INSN_CONDITIONAL);
	assert_true(insn.flags & DH_INSN_READS_FLAGS);
	insn = DECODE("\xe3\x02");
	assert_int_equal(insn.target, PC + 4);
	assert_true(insn.flags & DH_INSN_CONDITIONAL);
	insn = DECODE("\xe9\xfb\xef\xff\xff");
	assert_int_equal(insn.target, 0);
	assert_false(insn.flags & (DH_INSN_CONDITIONAL | DH_INSN_INDIRECT));
}

static void flags_use(void **state)
{
	(void)state;
	assert_int_equal(DECODE("\x48\x01\xc0").flags, DH_INSN_WRITES_FLAGS);
	assert_int_equal(DECODE("\x48\x11\xc0").flags, DH_INSN_WRITES_FLAGS | DH_INSN_READS_FLAGS);
	assert_int_equal(DECODE("\x0f\x94\xc0").flags, DH_INSN_READS_FLAGS);
	assert_int_equal(DECODE("\x48\x8d\x00").flags, 0);
}

static void memory_operands(void **state)
{
	struct dh_insn insn = DECODE("\x64\x48\x8b\x44\x8d\x10"); /* mov rax, fs:[rbp+rcx*4+16] */

	(void)state;
	assert_int_equal(insn.n_mem, 1);
	assert_int_equal(insn.mem[0].segment, DH_X86_FS_BASE);
	assert_int_equal(insn.mem[0].base, DH_X86_RBP);
	assert_int_equal(insn.mem[0].index, DH_X86_RCX);
	assert_int_equal(insn.mem[0].scale, 4);
	assert_int_equal(insn.mem[0].disp, 16);
	assert_int_equal(insn.mem[0].size, 8);
	assert_int_equal(insn.mem[0].flags, DH_MEM_READ);

	insn = DECODE("\x89\x05\x00\x01\x00\x00"); /* mov [rip+256], eax */
	assert_int_equal(insn.mem[0].flags, DH_MEM_WRITE | DH_MEM_PC);
	assert_int_equal(insn.mem[0].disp, PC + 6 + 256);
	assert_int_equal(insn.mem[0].base, -1);

	insn = DECODE("\x67\x41\x8b\x04\x4d\x10\x00\x00\x00"); /* mov eax, [ecx*2+16] */
	assert_int_equal(insn.mem[0].base, -1);
	assert_int_equal(insn.mem[0].disp, 16);

	assert_int_equal(DECODE("\x48\x8d\x00").n_mem, 0); /* lea */
	assert_int_equal(DECODE("\x0f\x1f\x00").n_mem, 0); /* nop */
	assert_int_equal(DECODE("\x0f\x18\x08").n_mem, 0); /* prefetch */
	assert_int_equal(DECODE("\xff\x10").n_mem, 2);     /* call [rax] */
	assert_int_equal(DECODE("\x48\xa5").n_mem, 2);     /* movsq */
	assert_true(DECODE("\xc4\xe2\x79\x90\x0c\x10").mem[0].flags & DH_MEM_SCATTERED);
}

static void odd_bytes(void **state)
{
	struct dh_insn insn = {.length = 77};

	(void)state;
	assert_int_equal(dh_insn_decode((const uint8_t *)"\x48\x8b", 2, PC, &insn), -ENODATA);
	assert_int_equal(dh_insn_decode((const uint8_t *)"", 0, PC, &insn), -ENODATA);
	assert_int_equal(insn.length, 77);
	insn = DECODE("\x06");
	assert_int_equal(insn.flags, DH_INSN_UNKNOWN);
	assert_int_equal(insn.length, 1);
	/* Prefixes without end: too long to be an instruction. */
	insn = DECODE("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66");
	assert_int_equal(insn.flags, DH_INSN_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(branches_know_their_target),
		cmocka_unit_test(flags_use),
		cmocka_unit_test(memory_operands),
		cmocka_unit_test(odd_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
