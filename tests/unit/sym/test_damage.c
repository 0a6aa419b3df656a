/* Usage: test_sym_damage TARGET.  Files that are cut short or changed at random: whatever is read
 * of them, nothing crashes, and the module's name and offsets stay. */
#include "../unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "sym/sym.h"
#include "sym/unwind.h"
#include "sym/var.h"

#define BASE UINT64_C(0x555555554000)
#define SPAN 0x6000

static const char *path;
static char copy[64];
static struct dh_buf original;

static int set_up(void **state)
{
	int fd;

	(void)state;
	snprintf(copy, sizeof(copy), "/tmp/test-sym-damage.XXXXXX");
	fd = mkstemp(copy);
	if (fd < 0)
		return -1;
	close(fd);
	return dh_read_file(path, 64 << 20, &original, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	dh_buf_release(&original);
	return unlink(copy);
}

static int read_something(void *arg, uint64_t addr, void *ret, size_t n)
{
	uint64_t word = BASE + addr % SPAN;

	(void)arg;
	memset(ret, 0, n);
	memcpy(ret, &word, DH_MIN(n, sizeof(word)));
	return 0;
}

static void ask_everything(struct dh_sym *sym, uint64_t addr)
{
	struct dh_unwind_frame frames[32];
	uint64_t regs[DH_UNWIND_REGS] = {0};
	struct dh_sym_function f;
	struct dh_sym_variable v;
	struct dh_stack at = dh_sym_frames(sym, addr);

	assert_true(at.n >= 1);
	assert_string_equal(at.frames[0].module, "/the/program");
	assert_int_equal(at.frames[0].offset, addr - BASE);
	if (dh_sym_function(sym, addr, &f) == 0)
		assert_true(f.start <= addr && addr < f.end);
	if (dh_sym_variable(sym, addr, &v) == 0)
		assert_non_null(v.name);
	regs[7] = addr & ~7u;
	regs[DH_UNWIND_REGS - 1] = addr;
	assert_true(dh_sym_unwind(sym, regs, read_something, NULL, frames, 32) >= 1);
}

/* True when any symbol could be read. */
static bool use(const char *bytes, size_t n)
{
	struct dh_sym_mapping m = {BASE, BASE + SPAN, 0, "/the/program", copy};
	struct dh_sym *sym = dh_sym_new();
	uint64_t addr;
	bool readable;
	int fd = open(copy, O_WRONLY | O_TRUNC);

	assert_true(fd >= 0);
	assert_int_equal(dh_write_full(fd, bytes, n), 0);
	close(fd);
	assert_int_equal(dh_sym_set_mappings(sym, &m, 1), 0);
	assert_int_equal(dh_sym_n_modules(sym), 1);
	readable = dh_sym_module(sym, 0)->has_symbols;
	for (uint64_t at = BASE; at < BASE + SPAN; at += 61)
		ask_everything(sym, at);
	dh_sym_address(sym, "main", &addr, NULL);
	dh_sym_free(sym);
	return readable;
}

static void whole_and_cut(void **state)
{
	(void)state;
	assert_true(use(original.data, original.len));
	/* The section table comes last, so every cut shows. */
	for (size_t n = 0; n < original.len; n += original.len / 40)
		assert_false(use(original.data, n));
	assert_false(use(original.data, original.len - 1));
}

static void changed_at_random(void **state)
{
	unsigned readable = 0;
	char *bytes = malloc(original.len);

	(void)state;
	assert_non_null(bytes);
	srand(5);
	for (int i = 0; i < 100; i++) {
		memcpy(bytes, original.data, original.len);
		for (int k = 0; k < 1 << i % 7; k++)
			bytes[64 + (size_t)rand() % (original.len - 64)] = (char)rand();
		readable += use(bytes, original.len);
	}
	free(bytes);
	assert_true(readable > 20); /* the parsers did get to see them */
}

static void not_even_a_file(void **state)
{
	static const char *const odd[] = {"/dev/null", "/tmp", "/proc/self/mem", "/dev/zero", ""};
	struct dh_sym *sym = dh_sym_new();

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(odd); i++) {
		struct dh_sym_mapping m = {BASE, BASE + SPAN, 0, "/the/program", odd[i]};

		assert_int_equal(dh_sym_set_mappings(sym, &m, 1), 0);
		ask_everything(sym, BASE + 16);
		assert_int_equal(dh_sym_set_mappings(sym, NULL, 0), 0);
	}
	dh_sym_free(sym);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_and_cut),
		cmocka_unit_test(changed_at_random),
		cmocka_unit_test(not_even_a_file),
	};
	if (argc != 2)
		return 2;
	path = argv[1];
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
