#include "recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "trace/list.h"

static void expect_new(const char *base, const char *program, const char *name)
{
	DH_FREE char *want = path_in(base, name);
	DH_FREE char *got = NULL;
	struct stat st;

	assert_int_equal(dh_trace_list_new(base, program, &got, NULL), 0);
	assert_string_equal(got, want);
	assert_int_equal(stat(got, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
}

static void names_count_up(void **state)
{
	char *base = scratch_new();
	DH_FREE char *old = path_in(base, "make-41");
	DH_FREE char *junk = path_in(base, "make-99x");
	DH_FREE char *first = path_in(base, "make-1");

	(void)state;
	expect_new(base, "make", "make-1");
	expect_new(base, "/usr/bin/make", "make-2");
	expect_new(base, "./a b;c", "a_b_c-1");
	expect_new(base, "-rf", "_rf-1");
	expect_new(base, "dir/..", "_.-1");
	expect_new(base, "dir/", "_-1");
	assert_int_equal(mkdir(old, 0755), 0);
	assert_int_equal(mkdir(junk, 0755), 0);
	assert_int_equal(rmdir(first), 0);
	/* Numbers are not used again. */
	expect_new(base, "make", "make-42");
	/* A neighbour whose name begins the same does not count. */
	expect_new(base, "ma", "ma-1");
	scratch_free(base);
}

static void expect_resolved(const char *base, const char *which, const char *want)
{
	struct dh_error err = DH_ERROR_INIT;
	DH_FREE char *got = NULL;

	if (dh_trace_list_resolve(base, which, &got, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(got, want);
}

static void latest_is_found(void **state)
{
	char *base = scratch_new();
	struct dh_error err = DH_ERROR_INIT;
	DH_FREE char *a = NULL, *b = NULL, *elsewhere = dh_asprintf("%s.elsewhere", base);
	DH_FREE char *none = NULL;

	(void)state;
	assert_int_equal(dh_trace_list_resolve(base, NULL, &none, &err), -ENOENT);
	assert_non_null(strstr(err.text, "deadheat record"));
	assert_int_equal(dh_trace_list_new(base, "prog", &a, NULL), 0);
	assert_int_equal(dh_trace_list_new(base, "prog", &b, NULL), 0);
	assert_int_equal(dh_trace_list_set_latest(base, a, NULL), 0);
	expect_resolved(base, NULL, a);
	assert_int_equal(dh_trace_list_set_latest(base, b, NULL), 0);
	expect_resolved(base, NULL, b);
	expect_resolved(base, "latest", b);
	expect_resolved(base, "prog-1", a);
	expect_resolved(base, a, a);
	assert_int_equal(mkdir(elsewhere, 0755), 0);
	assert_int_equal(dh_trace_list_set_latest(base, elsewhere, NULL), 0);
	expect_resolved(base, NULL, elsewhere);
	assert_int_equal(rmdir(elsewhere), 0);
	assert_int_equal(dh_trace_list_resolve(base, NULL, &none, &err), -ENOENT);
	assert_non_null(strstr(err.text, "gone"));
	assert_int_equal(dh_trace_list_resolve(base, "prog-7", &none, &err), -ENOENT);
	assert_non_null(strstr(err.text, "prog-7"));
	assert_null(none);
	assert_int_equal(dh_trace_list_set_latest(base, elsewhere, &err), -ENOENT);
	scratch_free(base);
}

/* The folder keeps its meaning when it is moved. */
static void folder_can_be_moved(void **state)
{
	char *base = scratch_new();
	DH_FREE char *dir = NULL, *moved = dh_asprintf("%s.moved", base);
	DH_FREE char *want = path_in(moved, "prog-1");

	(void)state;
	assert_int_equal(dh_trace_list_new(base, "prog", &dir, NULL), 0);
	assert_int_equal(dh_trace_list_set_latest(base, dir, NULL), 0);
	assert_int_equal(rename(base, moved), 0);
	expect_resolved(moved, NULL, want);
	scratch_free(base);
}

static void default_place(void **state)
{
	char *top = scratch_new();
	DH_FREE char *dir = NULL, *here = getcwd(NULL, 0);

	(void)state;
	assert_int_equal(dh_mkdir_p(top, 0755, NULL), 0);
	assert_int_equal(chdir(top), 0);
	assert_int_equal(dh_trace_list_new(NULL, "./x", &dir, NULL), 0);
	assert_string_equal(dir, ".deadheat/recordings/x-1");
	assert_int_equal(dh_trace_list_set_latest(NULL, dir, NULL), 0);
	expect_resolved(NULL, NULL, dir);
	assert_int_equal(chdir(here), 0);
	scratch_free(top);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_count_up),
		cmocka_unit_test(latest_is_found),
		cmocka_unit_test(folder_can_be_moved),
		cmocka_unit_test(default_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
