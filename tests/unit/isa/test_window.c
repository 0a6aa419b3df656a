#include "../unit.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>

#include "isa/insn.h"
#include "isa/relocate.h"
#include "isa/window.h"

#define START 0x401000

static struct dh_window w;

static int choose(const char *bytes, size_t n, uint64_t offset)
{
	struct dh_window_code code = {.bytes = (const uint8_t *)bytes, .n = n, .start = START};

	memset(&w, 0x55, sizeof(w));
	return dh_window_choose(&code, START + offset, &w);
}

#define CHOOSE(literal, offset) choose(literal, sizeof(literal) - 1, offset)
#define NOPS                    "\x90\x90\x90\x90\x90\x90\x90\x90"

static void one_long_instruction(void **state)
{
	(void)state;
	assert_int_equal(CHOOSE("\x90\x48\xc7\xc0\x01\x02\x03\x04" NOPS, 1), 0);
	assert_int_equal(w.n, 1);
	assert_int_equal(w.length, 7);
	assert_int_equal(w.original, 7);
	assert_int_equal(w.pc, START + 1);
	assert_memory_equal(w.bytes, "\x48\xc7\xc0\x01\x02\x03\x04", 7);
	assert_false(w.ends);
}

static void several_short_ones(void **state)
{
	(void)state;
	/* inc rax; add rbx, rax; mov rcx, rbx */
	assert_int_equal(CHOOSE("\x48\xff\xc0\x48\x01\xc3\x48\x89\xd9" NOPS, 0), 0);
	assert_int_equal(w.n, 2);
	assert_int_equal(w.length, 6);
	assert_int_equal(w.insn_length[0], 3);
	assert_int_equal(w.insn_length[1], 3);
	assert_false(w.x87);
	/* fld1; fadd; inc rax */
	assert_int_equal(CHOOSE("\xd9\xe8\xd8\xc1\x48\xff\xc0" NOPS, 0), 0);
	assert_true(w.x87);
}

static void branches_into_the_middle(void **state)
{
	(void)state;
	/* inc rax; inc rbx; jne to the second one, then to the first one */
	assert_int_equal(CHOOSE("\x48\xff\xc0\x48\xff\xc3\x75\xfb" NOPS, 0), -EBUSY);
	assert_int_equal(CHOOSE("\x48\xff\xc0\x48\xff\xc3\x75\xf8" NOPS, 0), 0);
	/* The same from before. */
	assert_int_equal(CHOOSE(NOPS "\x74\x03\x48\xff\xc0\x48\xff\xc3" NOPS, 10), -EBUSY);
	assert_int_equal(CHOOSE(NOPS "\x74\x06\x48\xff\xc0\x48\xff\xc3" NOPS, 10), 0);
	/* A call by distance from behind. */
	assert_int_equal(
		CHOOSE("\x48\xff\xc0\x48\xff\xc3" NOPS "\xe8\xf0\xff\xff\xff" NOPS, 0), -EBUSY);
	/* je over the lock prefix of one long instruction */
	assert_int_equal(CHOOSE(NOPS "\x74\x01\xf0\x48\x0f\xb1\x0f" NOPS, 10), -EBUSY);
	assert_int_equal(CHOOSE(NOPS "\x74\x00\xf0\x48\x0f\xb1\x0f" NOPS, 10), 0);
}

static void calls_only_at_the_end(void **state)
{
	(void)state;
	assert_int_equal(CHOOSE("\xff\xd0\x48\xff\xc0" NOPS, 0), -EBUSY); /* call rax; inc */
	assert_int_equal(CHOOSE("\x48\xff\xc0\xff\xd0" NOPS, 0), 0);      /* inc; call rax */
	assert_int_equal(CHOOSE("\xe8\x00\x01\x00\x00" NOPS, 0), 0);
}

static void ends_need_padding(void **state)
{
	(void)state;
	/* ret; nop of 4 */
	assert_int_equal(CHOOSE("\xc3\x0f\x1f\x40\x00\x55" NOPS, 0), 0);
	assert_int_equal(w.n, 1);
	assert_int_equal(w.length, 1);
	assert_int_equal(w.original, 5);
	assert_true(w.ends);
	assert_int_equal(CHOOSE("\xeb\x20\xcc\xcc\xcc\x55" NOPS, 0), 0); /* jmp; breakpoints */
	assert_int_equal(CHOOSE("\xc3\x48\xff\xc0\x48\xff\xc3" NOPS, 0), -EBUSY);
	/* Fillers that reach into the next aligned block may belong to somebody else. */
	assert_int_equal(CHOOSE(NOPS "\x48\xff\xc0\x48\xff\xc0\xc3" NOPS, 14), -EBUSY);
}

static void what_cannot_move(void **state)
{
	(void)state;
	assert_int_equal(CHOOSE("\x48\x31\xff\x0f\x05" NOPS, 0), -ENOTSUP); /* syscall second */
	assert_int_equal(CHOOSE("\x0f\x05" NOPS, 0), -ENOTSUP);
	assert_int_equal(CHOOSE("\x48\x31\xff\x0f\x05" NOPS, 5), 0);
	assert_int_equal(CHOOSE("\x90\x90\x90\x90", 0), -ENODATA);
	assert_int_equal(CHOOSE(NOPS, 4), -ENODATA);
	assert_int_equal(CHOOSE(NOPS, 100), -ENODATA);
	assert_int_equal(CHOOSE("\x90\x90\x90\x90\x48\xc7\xc0\x01", 0), -ENODATA);
	assert_int_equal(w.pc, 0x5555555555555555);
}

/* The C library's code: the segment that holds code->function. */
static int find_text(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct dh_window_code *code = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		code->start = info->dlpi_addr + ph->p_vaddr;
		if (ph->p_type != PT_LOAD || code->function - code->start >= ph->p_filesz)
			continue;
		code->bytes = (const uint8_t *)(uintptr_t)code->start;
		code->n = ph->p_filesz;
		return 1;
	}
	return 0;
}

/* Every result on real code keeps its promises; most points are usable. */
static void real_code(void **state)
{
	struct dh_window_code all = {.function = (uint64_t)(uintptr_t)qsort}, around;
	struct dh_insn insn;
	unsigned chosen = 0, tried = 0;

	(void)state;
	assert_int_equal(dl_iterate_phdr(find_text, &all), 1);
	for (size_t at = all.function - all.start; at + 4096 < all.n && tried < 4000;
		at += insn.length) {
		size_t low = at < 2048 ? 0 : at - 2048;

		assert_int_equal(
			dh_insn_decode(all.bytes + at, all.n - at, all.start + at, &insn), 0);
		around = (struct dh_window_code){.bytes = all.bytes + low,
			.n = DH_MIN(all.n - low, (size_t)4096),
			.start = all.start + low};
		tried++;
		if (dh_window_choose(&around, all.start + at, &w) < 0)
			continue;
		chosen++;
		assert_true(w.length >= DH_ISA_JUMP_SIZE || w.ends);
		assert_true(w.n >= 1 && w.n <= DH_WINDOW_MAX_INSNS);
		assert_memory_equal(w.bytes, all.bytes + at, w.original);
		assert_int_equal(w.insn_length[0], insn.length);
	}
	print_message("%u of %u points can take a jump\n", chosen, tried);
	assert_true(tried > 100 && chosen > tried / 2);
}

/* Any bytes are decided upon without reading past their end. */
static void noise(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t n = 1 + (size_t)rand() % 64;
		char *bytes = malloc(n);

		assert_non_null(bytes);
		for (size_t k = 0; k < n; k++)
			bytes[k] = (char)rand();
		choose(bytes, n, (uint64_t)rand() % 70);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_long_instruction),
		cmocka_unit_test(several_short_ones),
		cmocka_unit_test(branches_into_the_middle),
		cmocka_unit_test(calls_only_at_the_end),
		cmocka_unit_test(ends_need_padding),
		cmocka_unit_test(what_cannot_move),
		cmocka_unit_test(real_code),
		cmocka_unit_test(noise),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
