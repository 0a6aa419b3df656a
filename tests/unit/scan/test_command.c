/* Build databases, quoting, flags for clang, names of files and of C++ functions. */
#include "../unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "scan/extract/capture.h"
#include "scan/extract/command.h"
#include "scan/extract/flags.h"
#include "scan/extract/names.h"
#include "scan/extract/path.h"

static void check_split(const char *line, const char *joined)
{
	DH_FREE char **argv = dh_scan_split(line);
	DH_BUF struct dh_buf out = DH_BUF_INIT;

	assert_non_null(argv);
	for (size_t i = 0; argv[i]; i++)
		dh_buf_addf(&out, "[%s]", argv[i]);
	assert_string_equal(dh_buf_str(&out), joined);
}

static void test_split(void **state)
{
	check_split("cc  -c\ta.c\n", "[cc][-c][a.c]");
	check_split("-D'A B' -DX=\"y z\" a\\ b", "[-DA B][-DX=y z][a b]");
	check_split("-DS=\\\"text\\\" '-DT=\"t\"'", "[-DS=\"text\"][-DT=\"t\"]");
	check_split("\"a\\$b\\n\" ''", "[a$b\\n][]");
	check_split("", "");
	check_split("   ", "");
	check_split("x\\", "[x\\]");
	assert_null(dh_scan_split("cc 'open"));
	assert_null(dh_scan_split("cc \"open\\\""));
}

static char *in_scratch(const char *dir, const char *name)
{
	return dh_asprintf("%s/%s", dir, name);
}

static void make_file(const char *dir, const char *name)
{
	DH_FREE char *path = in_scratch(dir, name);

	assert_int_equal(dh_write_file_atomic(path, "int x;\n", 7, NULL), 0);
}

static void test_database(void **state)
{
	char dir[] = "/tmp/deadheat-test-XXXXXX";
	struct dh_scan_commands c = {0};
	DH_FREE char *text = NULL;

	assert_non_null(mkdtemp(dir));
	make_file(dir, "b.c");
	make_file(dir, "a b.cc");
	text = dh_asprintf(
		"[{\"directory\":\"%s\",\"file\":\"b.c\",\"command\":\"gcc -DX='1 2' -c "
		"b.c\"},"
		"{\"directory\":\"%s\",\"file\":\"b.c\",\"command\":\"gcc -DSECOND b.c\"},"
		"{\"directory\":\"/\",\"file\":\"%s/a b.cc\",\"arguments\":[\"g++\",\"-c\"]},"
		"{\"directory\":\"%s\",\"file\":\"gone.c\",\"command\":\"cc gone.c\"},"
		"{\"directory\":\"%s\",\"file\":\"x.S\",\"command\":\"cc x.S\"}]",
		dir, dir, dir, dir, dir);
	assert_int_equal(dh_scan_commands_parse(&c, text, strlen(text), "db", NULL), 0);
	dh_scan_commands_sort(&c);
	assert_int_equal(c.n, 2);
	assert_int_equal(c.missing, 1);
	assert_int_equal(c.repeated, 1);
	assert_non_null(strstr(c.first_missing, "gone.c"));
	assert_non_null(strstr(c.items[0].file, "/a b.cc"));
	assert_string_equal(c.items[1].argv[1], "-DX=1 2");
	dh_scan_commands_release(&c);
	dh_remove_tree(dir);
}

static void check_refused(const char *text, const char *words)
{
	struct dh_scan_commands c = {0};
	struct dh_error err = DH_ERROR_INIT;

	assert_int_equal(dh_scan_commands_parse(&c, text, strlen(text), "db", &err), -EBADMSG);
	assert_non_null(strstr(err.text, words));
	dh_scan_commands_release(&c);
}

static void test_bad_databases(void **state)
{
	check_refused("", "not a build database");
	check_refused("[{\"directory\": \"/\", ]", "db:1");
	check_refused("{}", "no list");
	check_refused("[3]", "entry 1 lacks");
	check_refused("[{\"directory\":\"/\",\"file\":\"a.c\"}]", "entry 1 lacks");
	check_refused(
		"[{\"directory\":\"/\",\"file\":\"a.c\",\"command\":\"cc 'a.c\"}]", "open quote");
	check_refused("[{\"directory\":\"/\",\"file\":\"a.c\",\"command\":\"\"}]", "empty");
	check_refused("[{\"directory\":\"/\",\"file\":\"a.c\",\"arguments\":[1]}]", "empty");
}

static void check_flags(const char *line, const char *file, int version, const char *joined)
{
	DH_FREE char **argv = dh_scan_split(line);
	DH_FREE char *name = dh_strdup(file), *dir = dh_strdup("/");
	struct dh_scan_command c = {.dir = dir, .file = name, .argv = argv};
	char **flags = dh_scan_flags(&c, version, NULL);
	DH_BUF struct dh_buf out = DH_BUF_INIT;

	for (size_t i = 0; flags[i]; i++)
		dh_buf_addf(&out, "%s%s", i ? " " : "", flags[i]);
	assert_string_equal(dh_buf_str(&out), joined);
	dh_scan_flags_free(flags);
}

static void test_flags(void **state)
{
	check_flags("gcc -O2 -g -Wall -Werror -Iinc -I other -DX=1 -c a.c -o a.o", "a.c", 14,
		"-Iinc -I other -DX=1");
	check_flags(
		"gcc -Wp,-MMD,a.d,-DY -MD -MF x.d -MT a.o -fplugin=x.so -c a.c", "a.c", 14, "-DY");
	check_flags("gcc -mpreferred-stack-boundary=3 -fconserve-stack -fno-allow-store-data-races "
		    "-mno-sse -ffreestanding --param=x=1 -fstack-protector-strong a.c",
		"a.c", 14, "-mno-sse -ffreestanding");
	check_flags("ccache gcc -std=gnu23 -x c -c a.c", "a.c", 14, "-std=gnu2x -x c");
	check_flags("gcc -std=gnu23 a.c", "a.c", 18, "-std=gnu23");
	check_flags("g++ -std=c++20 a.c", "a.c", 14, "-std=c++20 -x c++");
	check_flags("g++-12 a.cc -flto -include config.h", "a.cc", 14, "-include config.h");
	check_flags("aarch64-linux-gnu-gcc -c a.c", "a.c", 14, "--target=aarch64-linux-gnu");
	check_flags("/usr/bin/cc -isystem /x -nostdinc -fPIC -pthread a.c", "a.c", 14,
		"-isystem /x -nostdinc -fPIC -pthread");
	check_flags("gcc", "a.c", 14, "");
}

static void check_path(const char *dir, const char *name, const char *root, const char *expected)
{
	DH_FREE char *path = dh_scan_path(dir, name, root);

	assert_string_equal(path, expected);
}

static void test_paths(void **state)
{
	check_path("/srv/x", "a.c", "/srv/x", "a.c");
	check_path("/srv/x/build", "../src/./a.c", "/srv/x", "src/a.c");
	check_path("/srv/xy", "a.c", "/srv/x", "/srv/xy/a.c");
	check_path("/srv", "/usr/include//b.h", "/srv", "/usr/include/b.h");
	check_path("", "a.c", "/srv", "a.c");
	check_path("/", "../../a.c", NULL, "/a.c");
	check_path("/a", "..", NULL, "/");
}

static void check_name(const char *demangled, const char *expected)
{
	DH_FREE char *name = dh_scan_short_name(demangled);

	assert_string_equal(name, expected);
}

static void test_names(void **state)
{
	check_name("std::lock_guard<std::mutex>::lock_guard(std::mutex&)",
		"std::lock_guard::lock_guard");
	check_name("void std::__invoke_impl<void, f(int)::{lambda()#1}>(x, y&&)",
		"std::__invoke_impl");
	check_name("ns::Queue<std::pair<int, long> >::push(int) const", "ns::Queue::push");
	check_name("f(int)::{lambda(char)#2}::operator()(char) const",
		"f::{lambda(char)#2}::operator()");
	check_name("(anonymous namespace)::g()", "(anonymous namespace)::g");
	check_name("bool operator< <std::x>(A, B)", "operator<");
	check_name("std::ostream& operator<< <int>(std::ostream&)", "operator<<");
	check_name("A::operator bool() const", "A::operator bool");
	check_name("operator new(unsigned long)", "operator new");
	check_name(
		"std::__cxx11::basic_string<char>::size[abi:cxx11]()", "std::basic_string::size");
	check_name("std::__cxx11::", "std::");
	check_name("plain", "plain");
	check_name("", "");
}

static void test_captured(void **state)
{
	char dir[] = "/tmp/deadheat-test-XXXXXX";
	static const char *const yes[] = {"gcc -c a.c", "/usr/bin/x86_64-linux-gnu-g++-12 -c a.c",
		"ccache cc a.c -o x", "clang-14 -MD -c a.c"};
	static const char *const no[] = {"gcc -E a.c", "cc1 a.c", "gcc -M a.c", "gcc a.o -o x",
		"cat a.c", "gcc -c conftest.c", "ccache", "gcc"};
	struct dh_scan_commands c = {0};

	assert_non_null(mkdtemp(dir));
	make_file(dir, "a.c");
	make_file(dir, "conftest.c");
	for (size_t i = 0; i < DH_ARRAY_SIZE(yes) + DH_ARRAY_SIZE(no); i++) {
		bool expected = i < DH_ARRAY_SIZE(yes);
		DH_FREE char **argv = dh_scan_split(expected ? yes[i] : no[i - DH_ARRAY_SIZE(yes)]);

		dh_scan_capture_command(&c, dir, argv);
		assert_int_equal(c.n, expected);
		dh_scan_commands_release(&c);
	}
	dh_remove_tree(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_database),
		cmocka_unit_test(test_bad_databases),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_captured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
