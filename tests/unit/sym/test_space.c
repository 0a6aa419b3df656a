#include "../unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "sym/space.h"

static void reads_the_format(void **state)
{
	static const char text[] =
		"555555554000-555555558000 r--p 00000000 08:01 1234      /usr/bin/a b\n"
		"555555558000-55555555a000 rwxs 0000f000 08:01 18446744073709551615 /x\\012y "
		"(deleted)\n"
		"7ffff7ffd000-7ffff7fff000 ---p 00000000 00:00 0 \n"
		"7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0          [stack]";
	struct dh_sym_space m = DH_SYM_SPACE_INIT;

	(void)state;
	assert_int_equal(dh_sym_space_parse(&m, text, sizeof(text) - 1), 0);
	assert_int_equal(m.n, 4);
	assert_string_equal(m.all[0].path, "/usr/bin/a b");
	assert_int_equal(m.all[0].inode, 1234);
	assert_true(m.all[0].read && !m.all[0].write && !m.all[0].exec && !m.all[0].shared);
	assert_string_equal(m.all[1].path, "/x\ny (deleted)");
	assert_int_equal(m.all[1].offset, 0xf000);
	assert_true(m.all[1].write && m.all[1].exec && m.all[1].shared);
	assert_string_equal(m.all[2].path, "");
	assert_string_equal(m.all[3].path, "[stack]");
	assert_ptr_equal(dh_sym_space_find(&m, 0x555555554000), &m.all[0]);
	assert_ptr_equal(dh_sym_space_find(&m, 0x555555558000), &m.all[1]);
	assert_null(dh_sym_space_find(&m, 0x55555555a000));
	assert_null(dh_sym_space_find(&m, 0));
	assert_null(dh_sym_space_find(&m, UINT64_MAX));
	dh_sym_space_release(&m);
}

static void leaves_out_nonsense(void **state)
{
	static const char text[] = "2000-3000 r--p 00000000 08:01 1 /a\n"
				   "\n"
				   "1000-2000 r--p 00000000 08:01 1 /before\n"
				   "2800-3800 r--p 00000000 08:01 1 /overlap\n"
				   "5000-4000 r--p 00000000 08:01 1 /backwards\n"
				   "11112222333344445-4000 r--p 00000000 08:01 1 /huge\n"
				   "6000-7000 r--p zzz 08:01 1 /hex\n"
				   "8000-9000 r\n"
				   "8000-9000 r--p 00000000 08:01 1 /last\n";
	struct dh_sym_space m = DH_SYM_SPACE_INIT;

	(void)state;
	assert_int_equal(dh_sym_space_parse(&m, text, sizeof(text) - 1), 7);
	assert_int_equal(m.n, 2);
	assert_string_equal(m.all[1].path, "/last");
	dh_sym_space_release(&m);
}

static void cut_anywhere(void **state)
{
	static const char line[] = "2000-3000 r--p 00000000 08:01 77 /a\\012b\n";

	(void)state;
	for (size_t n = 0; n < sizeof(line); n++) {
		struct dh_sym_space m = DH_SYM_SPACE_INIT;
		char *part = malloc(n + 1);

		assert_non_null(part);
		memcpy(part, line, n);
		dh_sym_space_parse(&m, part, n);
		assert_true(m.n <= 1);
		free(part);
		dh_sym_space_release(&m);
	}
}

static void reads_a_process(void **state)
{
	struct dh_sym_space m = DH_SYM_SPACE_INIT;
	struct dh_error err = DH_ERROR_INIT;
	const struct dh_sym_area *mine;

	(void)state;
	assert_int_equal(dh_sym_space_read(&m, getpid(), &err), 0);
	mine = dh_sym_space_find(&m, (uint64_t)(uintptr_t)reads_a_process);
	assert_non_null(mine);
	assert_true(mine->exec && strstr(mine->path, "test_sym_space"));
	dh_sym_space_release(&m);
	assert_true(dh_sym_space_read(&m, 0x7ffffff, &err) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_format),
		cmocka_unit_test(leaves_out_nonsense),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(reads_a_process),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
