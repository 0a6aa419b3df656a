#include "../unit.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isa/xstate.h"

/* A machine with everything, whatever the one that runs the test has: AVX in component 2, AVX-512
 * in 5 to 7, protection keys in 9. */
static const struct dh_xstate_layout wide = {
	.offset = {[1] = 160, [2] = 576, [5] = 1088, [6] = 1152, [7] = 1664, [9] = 2688},
	.size = {[0] = 160, [1] = 256, [2] = 256, [5] = 64, [6] = 512, [7] = 1024, [9] = 8},
};

enum { SIZE = 2696 };

static uint8_t *area_new(uint64_t present)
{
	uint8_t *p = calloc(1, SIZE);

	assert_non_null(p);
	memcpy(p + 512, &present, sizeof(present));
	memcpy(p, "\x7f\x03", 2);
	memcpy(p + 24, "\x80\x1f", 2);
	return p;
}

static bool same(const uint8_t *a, const uint8_t *b)
{
	bool equal = dh_xstate_equal(&wide, a, SIZE, b, SIZE);

	assert_int_equal(equal, dh_xstate_hash(&wide, a, SIZE) == dh_xstate_hash(&wide, b, SIZE));
	return equal;
}

static void absent_components_are_initial(void **state)
{
	uint8_t *a = area_new(0), *b = area_new(0x2e7);

	(void)state;
	assert_true(same(a, b));
	memset(a + 576, 0x55, 256); /* remains of an earlier state */
	memset(a + 160, 0x55, 256);
	a[32] = 1;
	assert_true(same(a, b));
	b[576] = 1;
	assert_false(same(a, b));
	free(a);
	free(b);
}

static void every_byte_of_a_component_counts(void **state)
{
	uint8_t *a = area_new(0x2e7), *b = area_new(0x2e7);

	(void)state;
	for (int c = 1; c < DH_XSTATE_COMPONENTS; c++) {
		for (uint32_t i = 0; i < wide.size[c]; i++) {
			b[wide.offset[c] + i] ^= 0x10;
			assert_false(same(a, b));
			b[wide.offset[c] + i] ^= 0x10;
		}
	}
	assert_true(same(a, b));
	free(a);
	free(b);
}

static void only_state_counts_in_the_legacy_region(void **state)
{
	uint8_t *a = area_new(0x2e7), *b = area_new(0x2e7);

	(void)state;
	for (uint32_t i = 0; i < 512; i++) {
		bool x87 = i < 5 || (i >= 32 && i < 160 && i % 16 < 10);
		bool counts = x87 || (i >= 24 && i < 28) || (i >= 160 && i < 416);

		b[i] ^= 0x10;
		assert_int_equal(same(a, b), !counts);
		b[i] ^= 0x10;
	}
	free(a);
	free(b);
}

static void differences_can_be_tested_one_by_one(void **state)
{
	uint8_t *want = area_new(0x2e7), *got = area_new(0x2e7);
	struct dh_xstate_word w[8];

	(void)state;
	want[2] = 0x34;           /* x87 status */
	want[4] = 0x80;           /* tags */
	want[6] = 0x77;           /* last opcode: not state */
	want[25] = 0x3f;          /* mxcsr */
	want[32 + 16 + 9] = 0x12; /* sign of st(1) */
	want[160 + 24] = 0x56;    /* upper half of a vector register */
	want[1152 + 8] = 0x78;
	assert_int_equal(dh_xstate_differences(&wide, want, SIZE, got, SIZE, w, 8), 6);
	assert_int_equal(w[0].offset, 2);
	assert_int_equal(w[0].size, 2);
	assert_int_equal(w[0].value, 0x34);
	assert_int_equal(w[1].offset, 4);
	assert_int_equal(w[1].size, 1);
	assert_int_equal(w[2].offset, 24);
	assert_int_equal(w[2].size, 4);
	assert_int_equal(w[2].value, 0x3f80);
	assert_int_equal(w[3].offset, 32 + 16 + 8);
	assert_int_equal(w[3].size, 2);
	assert_int_equal(w[3].value, 0x1200);
	assert_int_equal(w[4].offset, 160 + 24);
	assert_int_equal(w[5].offset, 1152 + 8);
	assert_int_equal(w[5].size, 8);
	assert_int_equal(dh_xstate_differences(&wide, want, SIZE, got, SIZE, w, 2), 2);
	assert_int_equal(dh_xstate_differences(&wide, want, SIZE, want, SIZE, w, 8), 0);
	free(want);
	free(got);
}

/* Areas and layouts come from files: any size, any numbers. */
static void short_areas_and_wild_layouts(void **state)
{
	uint8_t *a = area_new(UINT64_MAX), *b = area_new(UINT64_MAX), *none = area_new(0);
	struct dh_xstate_layout wild;

	(void)state;
	assert_true(dh_xstate_equal(&wide, a, 100, none, SIZE));
	b[1152] = 1;
	assert_true(dh_xstate_equal(&wide, a, 1160, b, 1160)); /* cut inside the component */
	for (uint32_t i = 0; i < 1000; i++) {
		for (int c = 0; c < DH_XSTATE_COMPONENTS; c++) {
			wild.offset[c] = (uint32_t)rand() * (1u + i % 3);
			wild.size[c] = i % 2 ? (uint32_t)rand() : UINT32_MAX - wild.offset[c];
		}
		assert_true(dh_xstate_equal(&wild, a, SIZE, a, SIZE));
	}
	free(a);
	free(b);
	free(none);
}

static size_t fetch(pid_t pid, void *p, size_t size)
{
	struct iovec iov = {p, size};

	assert_int_equal(ptrace(PTRACE_GETREGSET, pid, NT_X86_XSTATE, &iov), 0);
	return iov.iov_len;
}

/* Stops before and after it changed one vector register. */
static void DH_NORETURN child(void)
{
	static const uint64_t mark[2] = {0x1122334455667788, 0x99aabbccddeeff00};

	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	__asm__ volatile("int3\n\tint3\n\tmovups %0, %%xmm9\n\tint3" ::"m"(mark) : "xmm9");
	_exit(0);
}

static void works_on_a_real_thread(void **state)
{
	static uint8_t area[3][DH_XSTATE_MAX_SIZE];
	struct dh_xstate_layout l;
	struct dh_xstate_word w[4];
	size_t size = 0;
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0)
		child();
	dh_xstate_layout_host(&l);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
		size = fetch(pid, area[i], sizeof(area[i]));
		ptrace(PTRACE_CONT, pid, NULL, NULL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(size, dh_xstate_host_size(UINT64_MAX, false));
	assert_true(dh_xstate_equal(&l, area[0], size, area[1], size));
	assert_false(dh_xstate_equal(&l, area[1], size, area[2], size));
	assert_int_equal(dh_xstate_differences(&l, area[2], size, area[1], size, w, 4), 2);
	assert_int_equal(w[0].offset, 160 + 9 * 16);
	assert_int_equal(w[0].value, 0x1122334455667788);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absent_components_are_initial),
		cmocka_unit_test(every_byte_of_a_component_counts),
		cmocka_unit_test(only_state_counts_in_the_legacy_region),
		cmocka_unit_test(differences_can_be_tested_one_by_one),
		cmocka_unit_test(short_areas_and_wild_layouts),
		cmocka_unit_test(works_on_a_real_thread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
