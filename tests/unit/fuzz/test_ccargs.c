#include "../unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "fuzz/ccargs.h"

static const struct dh_cc_runtime runtime = {"/r/libdeadheat-sched.so", "/r", "/r/stand-in"};

/* "-c a.c" to what the compiler gets, words joined by spaces; the message when it is refused. */
static char *built(enum dh_cc_kind kind, const char *line)
{
	DH_FREE char *copy = dh_strdup(line);
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	struct dh_error err = DH_ERROR_INIT;
	struct dh_arena arena = DH_ARENA_INIT;
	struct dh_cc_args args = {0};
	struct dh_cc_request req;
	char *argv[32], *rest = copy, *word;
	size_t n = 0;

	while ((word = strsep(&rest, " ")))
		if (*word)
			argv[n++] = word;
	dh_cc_read(argv, n, &arena, &req);
	if (dh_cc_build(kind, &req, &runtime, argv, n, &args, &err) < 0)
		dh_buf_adds(&out, err.text);
	for (size_t i = 0; i < args.n; i++)
		dh_buf_addf(&out, "%s%s", i ? " " : "", args.words[i]);
	dh_cc_args_release(&args);
	dh_arena_release(&arena);
	return strdup(dh_buf_str(&out));
}

static void check(enum dh_cc_kind kind, const char *line, const char *expected)
{
	char *got = built(kind, line);

	assert_string_equal(got, expected);
	free(got);
}

#define GCC_LINK "-L/r/stand-in -Wl,-rpath,/r"
#define RBW      "-mllvm -tsan-instrument-read-before-write=1"
#define CALLS                                                                                      \
	"-fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset "                            \
	"-fno-tree-loop-distribute-patterns"
#define OURS "-Wl,--push-state,--no-as-needed /r/libdeadheat-sched.so -Wl,--pop-state -Wl,-rpath,/r"

static void test_compile(void **state)
{
	check(DH_CC_GCC, "-c a.c", "-fsanitize=thread -g " CALLS " -c a.c");
	check(DH_CC_GCC, "-O2 -g3 -c a.c -o a.o",
		"-fsanitize=thread " CALLS " -O2 -g3 -c a.c -o a.o");
	check(DH_CC_GCC, "-c a.c -g0", "-fsanitize=thread " CALLS " -c a.c -g0");
	check(DH_CC_CLANG, "-S a.c", "-fsanitize=thread -g " RBW " -S a.c");
	check(DH_CC_GCC, "-E a.c", "-fsanitize=thread -g " CALLS " -E a.c");
	check(DH_CC_GCC, "-M a.c", "-fsanitize=thread -g " CALLS " -M a.c");
	check(DH_CC_GCC, "-x c -c -", "-fsanitize=thread -g " CALLS " -x c -c -");
	check(DH_CC_CLANG, "-MMD -MF a.d -fsyntax-only a.c",
		"-fsanitize=thread -g " RBW " -MMD -MF a.d -fsyntax-only a.c");
}

static void test_link(void **state)
{
	check(DH_CC_GCC, "a.o -o a", "-fsanitize=thread -g " GCC_LINK " a.o -o a");
	check(DH_CC_GCC, "a.c", "-fsanitize=thread -g " CALLS " " GCC_LINK " a.c");
	check(DH_CC_GCC, "-shared a.o -o a.so",
		"-fsanitize=thread -g " GCC_LINK " -shared a.o -o a.so");
	check(DH_CC_CLANG, "a.o -o a",
		"-fsanitize=thread -g -fno-sanitize-link-runtime " OURS " a.o -o a");
	check(DH_CC_CLANG, "-shared a.o",
		"-fsanitize=thread -g -fno-sanitize-link-runtime " OURS " -shared a.o");
	check(DH_CC_GCC, "-nostdlib -shared a.o",
		"-fsanitize=thread -g " OURS " -nostdlib -shared a.o");
	check(DH_CC_GCC, "-r a.o b.o -o c.o", "-fsanitize=thread -g -r a.o b.o -o c.o");
	check(DH_CC_GCC, "a.o -static-libtsan -static-libgcc",
		"-fsanitize=thread -g " GCC_LINK " a.o -static-libgcc");
}

/* What has no input is a question about the compiler, and nothing of ours may be in the answer. */
static void test_questions(void **state)
{
	static const char *const lines[] = {"", "-v", "--version", "-dumpmachine", "-###",
		"-print-search-dirs", "-Wl,--version", "-o a.o", "-I dir -v", "-E -v",
		"-print-file-name=libc.so", "-Xlinker --version", NULL};

	for (size_t i = 0; lines[i]; i++) {
		check(DH_CC_GCC, lines[i], lines[i]);
		check(DH_CC_CLANG, lines[i], lines[i]);
	}
}

static void refused(const char *line, const char *word)
{
	char *got = built(DH_CC_GCC, line);

	if (!strstr(got, word))
		fail_msg("'%s' for '%s' does not speak of %s", got, line, word);
	free(got);
}

static void test_refused(void **state)
{
	refused("-static a.o", "cannot link with -static");
	refused("-static-pie a.c", "cannot link with -static");
	refused("-fsanitize=undefined,address a.c", "-fsanitize=address does not go together");
	refused("-c -fsanitize=memory a.c", "-fsanitize=memory");
	/* Only what is linked cannot be static, and what is taken back was never asked for. */
	check(DH_CC_GCC, "-static -c a.c", "-fsanitize=thread -g " CALLS " -static -c a.c");
	check(DH_CC_GCC, "-c -fsanitize=address -fno-sanitize=all a.c",
		"-fsanitize=thread -g " CALLS " -c -fsanitize=address -fno-sanitize=all a.c");
	check(DH_CC_GCC, "-c -fsanitize=undefined a.c",
		"-fsanitize=thread -g " CALLS " -c -fsanitize=undefined a.c");
}

static void test_response_file(void **state)
{
	char path[] = "/tmp/dh-ccargs-XXXXXX", line[64], expected[256];
	static const char text[] = "-c\n'a b.c' \"-D X\" -o\\ x\n";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	snprintf(line, sizeof(line), "@%s", path);
	snprintf(expected, sizeof(expected), "-fsanitize=thread -g " CALLS " @%s", path);
	check(DH_CC_GCC, line, expected);
	/* A file that names itself does not end the world. */
	fd = open(path, O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, line, strlen(line)), (int)strlen(line));
	close(fd);
	snprintf(expected, sizeof(expected), "-fsanitize=thread -g " GCC_LINK " %s", line);
	check(DH_CC_GCC, line, expected);
	unlink(path);
}

static void test_kind(void **state)
{
	assert_int_equal(dh_cc_kind_of("/usr/bin/gcc-12"), DH_CC_GCC);
	assert_int_equal(dh_cc_kind_of("x86_64-linux-gnu-g++"), DH_CC_GCC);
	assert_int_equal(dh_cc_kind_of("/opt/clang++-19"), DH_CC_CLANG);
	assert_int_equal(dh_cc_kind_of("/opt/clang/bin/gcc"), DH_CC_GCC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compile),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_response_file),
		cmocka_unit_test(test_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
