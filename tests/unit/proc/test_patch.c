/* Which code can be led into the buffer, and the set of places that are. */
#include "../unit.h"

#include <errno.h>
#include <string.h>

#include "isa/regs.h"
#include "proc/patch.h"
#include "wire/buffer.h"

#define START 0x7ffff7d00000ull

/* The code in a sea of nops, with the call ending `end` bytes into it. */
static int examine(const char *bytes, size_t n, size_t end, int64_t nr, struct dh_patch *ret)
{
	uint8_t sea[512];
	struct dh_patch_code code = {.bytes = sea, .n = sizeof(sea), .start = START};

	memset(sea, 0x90, sizeof(sea));
	memcpy(sea + 256, bytes, n);
	return dh_patch_examine(&code, START + 256 + end, nr, ret);
}
#define EXAMINE(literal, end, nr, p) examine(literal, sizeof(literal) - 1, end, nr, p)

static void the_forms(void **state)
{
	struct dh_patch p = {0};

	(void)state;
	/* mov $39, %eax; syscall; ret */
	assert_int_equal(EXAMINE("\xb8\x27\0\0\0\x0f\x05\xc3", 7, 39, &p), 0);
	assert_int_equal(p.form, DH_PATCH_NUMBER);
	assert_int_equal(p.start, START + 256);
	assert_int_equal(p.constant, 39);
	assert_int_equal(dh_patch_length(&p), 7);
	assert_int_equal(dh_patch_call_end(&p), START + 263);
	/* xor %eax, %eax; syscall; cmp $-4096, %rax */
	assert_int_equal(EXAMINE("\x31\xc0\x0f\x05\x48\x3d\0\xf0\xff\xff\x77\x10", 4, 0, &p), 0);
	assert_int_equal(p.form, DH_PATCH_COMPARE);
	assert_int_equal(p.start, START + 258);
	assert_int_equal(p.constant, -4096);
	assert_int_equal(dh_patch_length(&p), 8);
	assert_int_equal(dh_patch_call_end(&p), START + 260);
	/* syscall; cmp $-4096, %eax */
	assert_int_equal(EXAMINE("\x0f\x05\x3d\0\xf0\xff\xff", 2, 0, &p), 0);
	assert_int_equal(p.form, DH_PATCH_COMPARE_NARROW);
	assert_int_equal(dh_patch_length(&p), 7);
}

static void what_is_left_alone(void **state)
{
	struct dh_patch p;

	(void)state;
	/* the bytes before are not the load of this number */
	assert_int_equal(EXAMINE("\xb8\x27\0\0\0\x0f\x05\xc3", 7, 40, &p), -ENOTSUP);
	/* mov %edi, %eax; syscall; ret */
	assert_int_equal(EXAMINE("\x89\xf8\x0f\x05\xc3", 4, 1, &p), -ENOTSUP);
	/* mov $39, %eax; syscall; ret; jmp to the syscall */
	assert_int_equal(EXAMINE("\xb8\x27\0\0\0\x0f\x05\xc3\xeb\xfb", 7, 39, &p), -EBUSY);
	/* syscall; cmp $-4096, %rax; jmp to the cmp, from afar */
	assert_int_equal(
		EXAMINE("\x0f\x05\x48\x3d\0\xf0\xff\xff\xe9\xf5\xff\xff\xff", 2, 0, &p), -EBUSY);
	/* too near to the edge of what is known */
	assert_int_equal(examine("\x0f\x05", 2, 256, 0, &p), -ENOTSUP);
}

static void the_set_is_sorted_and_disjoint(void **state)
{
	struct dh_patches s = {0}, copy;
	struct dh_patch p = {.form = DH_PATCH_NUMBER};

	(void)state;
	for (uint32_t i = 0; i < 100; i++) {
		p.start = START + (i * 37 % 100) * 16;
		p.index = i;
		assert_int_equal(dh_patches_add(&s, &p), 0);
	}
	p.start = START + 4;
	assert_int_equal(dh_patches_add(&s, &p), -EEXIST);
	p.start = START - 6;
	assert_int_equal(dh_patches_add(&s, &p), -EEXIST);
	p.index = DH_TRAMPOLINES;
	p.start = START - 7;
	assert_int_equal(dh_patches_add(&s, &p), -ENOSPC);
	dh_patches_copy(&copy, &s);
	dh_patches_release(&s);
	for (uint64_t i = 0; i < 100; i++) {
		const struct dh_patch *q = dh_patches_at(&copy, START + i * 16);

		assert_non_null(q);
		assert_null(dh_patches_at(&copy, START + i * 16 + 1));
		assert_ptr_equal(dh_patches_call_end(&copy, START + i * 16 + 7), q);
		assert_ptr_equal(dh_patches_trampoline(&copy, dh_patch_trampoline_end(q)), q);
	}
	assert_null(dh_patches_call_end(&copy, START));
	assert_null(dh_patches_trampoline(&copy, DH_LANDING_TRAMPOLINES - 1));
	dh_patches_remove(&copy, dh_patches_at(&copy, START));
	assert_null(dh_patches_at(&copy, START));
	assert_int_equal(copy.n, 99);
	dh_patches_release(&copy);
}

static void registers_around_a_call(void **state)
{
	struct dh_patch p = {
		.start = START, .form = DH_PATCH_COMPARE, .constant = -4096, .index = 3};
	struct dh_regs regs = {0};

	(void)state;
	dh_regs_set_result(&regs, -EINTR);
	dh_regs_set_pc(&regs, dh_patch_trampoline_end(&p));
	dh_patch_finish(&p, &regs);
	assert_int_equal(dh_regs_pc(&regs), START + 8);
	assert_int_equal(dh_regs_flags(&regs) & 0x41, 0); /* above: an error */
	dh_regs_set_result(&regs, 5);
	dh_patch_finish(&p, &regs);
	assert_int_equal(dh_regs_flags(&regs) & 0x41, 1); /* below */
	dh_patch_begin(&p, &regs);
	assert_int_equal(dh_regs_pc(&regs), START);
	dh_patch_enter(&p, &regs);
	assert_int_equal(dh_regs_pc(&regs), dh_patch_trampoline_end(&p));
	assert_int_equal(dh_regs_result(&regs), -ENOSYS);
	assert_true(dh_patch_in_trampoline(dh_regs_pc(&regs)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_forms),
		cmocka_unit_test(what_is_left_alone),
		cmocka_unit_test(the_set_is_sorted_and_disjoint),
		cmocka_unit_test(registers_around_a_call),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
