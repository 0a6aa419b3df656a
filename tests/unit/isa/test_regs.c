#include "../unit.h"

#include <sys/user.h>

#include "isa/regs.h"

/* The accessors must agree with the kernel's own names for the words. */
static void accessors_follow_the_kernel_layout(void **state)
{
	struct user_regs_struct u = {.rip = 1,
		.rsp = 2,
		.orig_rax = 3,
		.rax = (uint64_t)-4,
		.rdi = 10,
		.rsi = 11,
		.rdx = 12,
		.r10 = 13,
		.r8 = 14,
		.r9 = 15};
	struct dh_regs r;

	(void)state;
	assert_int_equal(sizeof(u), sizeof(r));
	memcpy(&r, &u, sizeof(r));
	assert_int_equal(dh_regs_pc(&r), 1);
	assert_int_equal(dh_regs_sp(&r), 2);
	assert_int_equal(dh_regs_syscall(&r), 3);
	assert_int_equal(dh_regs_result(&r), -4);
	for (int i = 0; i < 6; i++)
		assert_int_equal(dh_regs_arg(&r, i), 10 + i);
}

static void setters_change_one_word(void **state)
{
	struct user_regs_struct want = {.rip = 21,
		.rsp = 22,
		.rax = (uint64_t)-23,
		.rdi = 30,
		.rsi = 31,
		.rdx = 32,
		.r10 = 33,
		.r8 = 34,
		.r9 = 35};
	struct dh_regs r = {0};

	(void)state;
	dh_regs_set_pc(&r, 21);
	dh_regs_set_sp(&r, 22);
	dh_regs_set_result(&r, -23);
	for (int i = 0; i < 6; i++)
		dh_regs_set_arg(&r, i, 30 + (uint64_t)i);
	assert_memory_equal(&r, &want, sizeof(r));
}

static void equality_ignores_what_the_program_cannot_see(void **state)
{
	struct user_regs_struct a = {.eflags = 0x246, .orig_rax = 1, .rbx = 7}, b = a;

	(void)state;
	b.orig_rax = 2;
	b.eflags |= 0x10100;
	assert_true(dh_regs_equal((struct dh_regs *)&a, (struct dh_regs *)&b));
	b.eflags ^= 1;
	assert_false(dh_regs_equal((struct dh_regs *)&a, (struct dh_regs *)&b));
	b = a;
	b.rbx++;
	assert_false(dh_regs_equal((struct dh_regs *)&a, (struct dh_regs *)&b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accessors_follow_the_kernel_layout),
		cmocka_unit_test(setters_change_one_word),
		cmocka_unit_test(equality_ignores_what_the_program_cannot_see),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
