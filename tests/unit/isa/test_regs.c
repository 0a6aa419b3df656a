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

static uint64_t flags_of(uint64_t a, uint64_t b)
{
	uint64_t flags;

	__asm__("cmpq %2, %1\n\tpushfq\n\tpopq %0" : "=r"(flags) : "r"(a), "r"(b) : "cc", "memory");
	return flags & 0x8d5;
}

static uint64_t narrow_flags_of(uint32_t a, uint32_t b)
{
	uint64_t flags;

	__asm__("cmpl %2, %1\n\tpushfq\n\tpopq %0" : "=r"(flags) : "r"(a), "r"(b) : "cc", "memory");
	return flags & 0x8d5;
}

/* Comparing by hand must leave what the processor leaves. */
static void comparing_sets_the_flags_of_the_processor(void **state)
{
	static const int32_t with[] = {-4096, -4095, 0, 1, -1, 7, INT32_MAX, INT32_MIN};
	uint64_t a = 1;

	(void)state;
	for (int i = 0; i < 4000; i++) {
		struct user_regs_struct u = {.rax = a, .eflags = 0x246 | 0x8d5 * (i & 1)};
		int32_t b = with[i % 8];

		dh_regs_compare_result((struct dh_regs *)&u, b, false);
		assert_int_equal(u.eflags & 0x8d5, flags_of(a, (uint64_t)(int64_t)b));
		assert_int_equal(u.eflags & ~0x8d5ull, 0x202);
		dh_regs_compare_result((struct dh_regs *)&u, b, true);
		assert_int_equal(u.eflags & 0x8d5, narrow_flags_of((uint32_t)a, (uint32_t)b));
		a = i < 64    ? 1ull << i
		    : i < 200 ? (uint64_t) - (i - 60) * 37
			      : a * 0x5851f42d4c957f2dull + 1;
	}
}

static void the_end_of_a_call_shows_in_two_registers(void **state)
{
	struct user_regs_struct u = {.rip = 1, .rcx = 2, .r11 = 3, .eflags = 0x246};

	(void)state;
	dh_regs_set_call_end((struct dh_regs *)&u, 0x1234);
	assert_int_equal(u.rip, 0x1234);
	assert_int_equal(u.rcx, 0x1234);
	assert_int_equal(u.r11, 0x246);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accessors_follow_the_kernel_layout),
		cmocka_unit_test(setters_change_one_word),
		cmocka_unit_test(equality_ignores_what_the_program_cannot_see),
		cmocka_unit_test(comparing_sets_the_flags_of_the_processor),
		cmocka_unit_test(the_end_of_a_call_shows_in_two_registers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
