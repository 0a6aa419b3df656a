#include "../unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fd.h"
#include "base/paths.h"

static char self[1024];

/* Makes an empty file below the test's own folder, with the folders on the way. */
static void touch(const char *folder, const char *file)
{
	char path[2048];

	snprintf(path, sizeof(path), "%s/%s", self, folder);
	assert_int_equal(dh_mkdir_p(path, 0755, NULL), 0);
	snprintf(path, sizeof(path), "%s/%s/%s", self, folder, file);
	assert_int_equal(dh_write_file_atomic(path, "", 0, NULL), 0);
}

static void drop(const char *relative)
{
	char path[2048];

	snprintf(path, sizeof(path), "%s/%s", self, relative);
	assert_int_equal(dh_remove_tree(path), 0);
}

static void self_is_this_program(void **state)
{
	char path[1024], *real = realpath("/proc/self/exe", NULL);

	(void)state;
	assert_int_equal(dh_self_path(path, sizeof(path)), 0);
	if (real) /* not where /proc is missing */
		assert_string_equal(path, real);
	free(real);
	assert_non_null(strstr(path, "test_base_paths"));
}

static void runtimes_are_found(void **state)
{
	struct dh_error err = DH_ERROR_INIT;
	char path[2048] = "untouched";

	(void)state;
	assert_int_equal(dh_runtime_path("unit-test", path, sizeof(path), &err), -ENOENT);
	assert_string_equal(path, "untouched");
	assert_non_null(strstr(err.text, "libdeadheat-unit-test.so"));

	touch(DH_RUNTIMES_FROM_BIN, "libdeadheat-unit-test.so");
	assert_int_equal(dh_runtime_path("unit-test", path, sizeof(path), &err), 0);
	assert_non_null(strstr(path, DH_RUNTIMES_FROM_BIN));

	touch("runtime/unit-test", "libdeadheat-unit-test.so");
	assert_int_equal(dh_runtime_path("unit-test", path, sizeof(path), &err), 0);
	assert_non_null(strstr(path, "/runtime/unit-test/"));

	drop("runtime");
	drop(DH_RUNTIMES_FROM_BIN "/libdeadheat-unit-test.so");
	assert_int_equal(dh_runtime_path("unit-test", path, sizeof(path), &err), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(self_is_this_program),
		cmocka_unit_test(runtimes_are_found),
	};

	if (dh_self_dir(self, sizeof(self)) < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
