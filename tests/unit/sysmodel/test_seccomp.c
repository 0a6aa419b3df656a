/* Seccomp filters by hand. */
#include "../unit.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#include "sysmodel/seccomp.h"

#define ABS(member)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RET(v)       BPF_STMT(BPF_RET | BPF_K, (v))
#define ALU(op, v)   BPF_STMT(BPF_ALU | (op) | BPF_K, (v))
#define RUN(code, d) dh_seccomp_run(code, DH_ARRAY_SIZE(code), d)
#define VALID(code)  dh_seccomp_valid(code, DH_ARRAY_SIZE(code))

static const struct seccomp_data data = {.nr = 39,
	.arch = AUDIT_ARCH_X86_64,
	.instruction_pointer = 0x1122334455667788,
	.args = {7, 0xffffffff00000001, 0, 0, 0, 42}};

static void jumps_and_loads(void **state)
{
	const struct sock_filter code[] = {
		ABS(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
		RET(SECCOMP_RET_KILL_PROCESS),
		ABS(nr),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 40, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 1, 0, 1),
		RET(SECCOMP_RET_ERRNO | 5),
		RET(SECCOMP_RET_ALLOW),
	};
	struct seccomp_data d = data;

	(void)state;
	assert_true(VALID(code));
	assert_int_equal(RUN(code, &d), SECCOMP_RET_ERRNO | 5);
	d.nr = 38;
	assert_int_equal(RUN(code, &d), SECCOMP_RET_ALLOW);
	d.nr = 40;
	assert_int_equal(RUN(code, &d), SECCOMP_RET_ALLOW);
	d.arch = AUDIT_ARCH_I386;
	assert_int_equal(RUN(code, &d), SECCOMP_RET_KILL_PROCESS);
}

static void arithmetic(void **state)
{
	const struct sock_filter code[] = {
		ABS(args[5]),                           /* a = 42 */
		BPF_STMT(BPF_ST, 3),                    /* cell 3 = 42 */
		ALU(BPF_MUL, 3),                        /* 126 */
		ALU(BPF_SUB, 6),                        /* 120 */
		ALU(BPF_DIV, 7),                        /* 17 */
		ALU(BPF_LSH, 4),                        /* 272 */
		ALU(BPF_OR, 1),                         /* 273 */
		BPF_STMT(BPF_MISC | BPF_TAX, 0),        /* x = 273 */
		BPF_STMT(BPF_LD | BPF_MEM, 3),          /* a = 42 */
		BPF_STMT(BPF_ALU | BPF_ADD | BPF_X, 0), /* 315 */
		ALU(BPF_MOD, 100),                      /* 15 */
		ALU(BPF_XOR, 0xff),                     /* 240 */
		ALU(BPF_AND, 0x7f),                     /* 112 */
		ALU(BPF_RSH, 1),                        /* 56 */
		BPF_STMT(BPF_ALU | BPF_NEG, 0),         /* -56 */
		BPF_STMT(BPF_RET | BPF_A, 0),
	};

	(void)state;
	assert_true(VALID(code));
	assert_int_equal(RUN(code, &data), (uint32_t)-56);
}

/* The kernel's order, which is not that of the numbers. */
static void the_strictest_counts(void **state)
{
	static const uint32_t order[] = {SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_KILL_THREAD,
		SECCOMP_RET_TRAP, SECCOMP_RET_ERRNO, SECCOMP_RET_USER_NOTIF, SECCOMP_RET_TRACE,
		SECCOMP_RET_LOG, SECCOMP_RET_ALLOW};

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(order); i++) {
		for (size_t k = i; k < DH_ARRAY_SIZE(order); k++) {
			assert_int_equal(dh_seccomp_stricter(order[i], order[k]), order[i]);
			assert_int_equal(dh_seccomp_stricter(order[k], order[i]), order[i]);
		}
	}
}

static void bad_filters(void **state)
{
	const struct sock_filter no_end[] = {ABS(nr)};
	const struct sock_filter far[] = {BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1), RET(0)};
	const struct sock_filter very_far[] = {BPF_STMT(BPF_JMP | BPF_JA, 0xffffffff), RET(0)};
	const struct sock_filter outside[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, sizeof(struct seccomp_data)), RET(0)};
	const struct sock_filter uneven[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2), RET(0)};
	const struct sock_filter cell[] = {BPF_STMT(BPF_ST, BPF_MEMWORDS), RET(0)};
	const struct sock_filter zero[] = {ALU(BPF_DIV, 0), RET(0)};
	const struct sock_filter packet[] = {BPF_STMT(BPF_LD | BPF_B | BPF_IND, 0), RET(0)};

	(void)state;
	assert_false(dh_seccomp_valid(no_end, 0));
	assert_false(VALID(no_end));
	assert_false(VALID(far));
	assert_false(VALID(very_far));
	assert_false(VALID(outside));
	assert_false(VALID(uneven));
	assert_false(VALID(cell));
	assert_false(VALID(zero));
	assert_false(VALID(packet));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jumps_and_loads),
		cmocka_unit_test(arithmetic),
		cmocka_unit_test(the_strictest_counts),
		cmocka_unit_test(bad_filters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
