/* Usage: test_sym_cpp TARGET */
#include "../unit.h"

#include "base/error.h"
#include "sym/sym.h"
#include "sym/var.h"
#include "target.h"

static const char *path;

static void names_are_qualified(void **state)
{
	static const char *const data[] = {"shop::Box::count", "shop::boxes[2].items[3]"};
	struct dh_error err = DH_ERROR_INIT;
	struct dh_sym *sym = dh_sym_new();
	struct dh_sym_variable v;
	struct target target;
	struct dh_stack at;

	(void)state;
	target_start(&target, path);
	assert_int_equal(dh_sym_set_process(sym, target.pid, &err), 0);
	at = dh_sym_frames(sym, target_addr(&target, "shop::Box::put"));
	assert_string_equal(at.frames[0].function, "shop::Box::put");
	for (size_t i = 0; i < DH_ARRAY_SIZE(data); i++) {
		assert_int_equal(dh_sym_variable(sym, target_addr(&target, data[i]), &v), 0);
		assert_string_equal(v.name, data[i]);
		assert_string_equal(v.type, "int");
	}
	dh_sym_free(sym);
	target_stop(&target);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_qualified)};

	if (argc != 2)
		return 2;
	path = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
