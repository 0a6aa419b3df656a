/* Finding the instructions that draw random numbers, in this very program; and what they do. */
#include "../unit.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "isa/insn.h"
#include "isa/random.h"
#include "isa/regs.h"

#define MAX 16

/* Never called: the processor may lack them.  The constant only looks like one. */
__attribute__((noinline, used)) static uint64_t draw(void)
{
	uint64_t a;
	uint32_t b;
	uint16_t c;

	__asm__ volatile("rdrand %0\n\trdseed %1\n\trdrand %2" : "=r"(a), "=r"(b), "=r"(c));
	return a + b + c;
}

__attribute__((noinline, used)) static uint32_t looks_alike(uint32_t x)
{
	__asm__ volatile("xorl $0x90f0c70f, %0" : "+r"(x));
	return x;
}

static uint8_t *whole(size_t *ret)
{
	DH_FD int fd = open("/proc/self/exe", O_RDONLY);
	struct stat st;
	uint8_t *data;

	assert_int_equal(fstat(fd, &st), 0);
	*ret = (size_t)st.st_size;
	data = dh_alloc(*ret);
	assert_int_equal(dh_read_full(fd, data, *ret), (ssize_t)*ret);
	return data;
}

static void finds_those_that_are(void **state)
{
	uint64_t sites[MAX];
	struct dh_insn insn;
	size_t n;
	DH_FREE uint8_t *file = whole(&n);
	int found = dh_random_sites(file, n, sites, MAX);

	(void)state;
	assert_true(found >= 3 && found < MAX);
	for (int i = 0; i < found; i++) {
		assert_int_equal(dh_insn_decode(file + sites[i], n - sites[i], sites[i], &insn), 0);
		assert_true(insn.flags & DH_INSN_RANDOM);
	}
	assert_int_equal(dh_random_sites(file, n, sites, 2), 2);
}

/* Whatever the file says, nothing outside of it is read (which sanitizers would tell). */
static void survives_any_file(void **state)
{
	uint64_t sites[MAX], seed = 4711;
	size_t n;
	DH_FREE uint8_t *file = whole(&n);

	(void)state;
	for (size_t cut = 0; cut < 600; cut += 7) {
		DH_FREE uint8_t *part = dh_memdup(file, cut + 1);

		dh_random_sites(part, cut, sites, MAX);
	}
	for (int i = 0; i < 300; i++) {
		DH_FREE uint8_t *copy = dh_memdup(file, n);

		for (int k = 0; k < 4; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			copy[(seed >> 33) % 1024] = (uint8_t)(seed >> 20);
		}
		dh_random_sites(copy, n, sites, MAX);
	}
}

static void does_what_it_does(void **state)
{
	static const uint8_t wide[] = {0x48, 0x0f, 0xc7, 0xf3};   /* rdrand rbx */
	static const uint8_t narrow[] = {0x66, 0x0f, 0xc7, 0xfb}; /* rdseed bx */
	static const uint8_t other[] = {0x48, 0x89, 0xc3};
	struct dh_regs regs = {0};

	(void)state;
	dh_regs_set_pc(&regs, 0x1000);
	dh_regs_set_flags(&regs, 0x8d4 | 0x200);
	assert_true(dh_random_finish(&regs, wide, sizeof(wide), 0x1122334455667788));
	assert_int_equal(dh_regs_pc(&regs), 0x1004);
	assert_int_equal(dh_regs_flags(&regs), 0x201);
	assert_int_equal(regs.word[5], 0x1122334455667788);
	assert_true(dh_random_finish(&regs, narrow, sizeof(narrow), 0x99aa));
	assert_int_equal(regs.word[5], 0x11223344556699aa);
	assert_int_equal(dh_regs_pc(&regs), 0x1008);
	assert_false(dh_random_finish(&regs, other, sizeof(other), 1));
	assert_int_equal(dh_regs_pc(&regs), 0x1008);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_those_that_are),
		cmocka_unit_test(survives_any_file),
		cmocka_unit_test(does_what_it_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
