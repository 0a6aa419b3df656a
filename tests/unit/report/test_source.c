#include "../unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "model/finding.h"
#include "report/source.h"

static char dir[] = "/tmp/deadheat-source-XXXXXX";

static void put(const char *name, const void *text, size_t n)
{
	DH_FREE char *path = dh_asprintf("%s/%s", dir, name);

	assert_int_equal(dh_write_file_atomic(path, text, n, NULL), 0);
}

static struct dh_excerpt excerpt(const struct dh_site *site, const char *variable, int64_t seen)
{
	/* Kept until the next call, since the excerpt borrows from it. */
	static struct dh_sources *sources;
	struct dh_excerpt e;

	dh_sources_free(sources);
	sources = NULL;
	if (!site)
		return (struct dh_excerpt){0};
	sources = dh_sources_new(dir);
	dh_sources_excerpt(sources, site, variable, 2, seen, &e);
	return e;
}

static void assert_line(const struct dh_excerpt *e, uint32_t line, const char *text)
{
	assert_true(line >= e->first && line < e->first + e->n);
	assert_int_equal(e->lines[line - e->first].len, strlen(text));
	assert_memory_equal(e->lines[line - e->first].text, text, strlen(text));
}

static const char five[] = "one\n\ttwo = x->y + xy;\r\nthree\n\nfive";

static void context_is_clipped_to_the_file(void **state)
{
	struct dh_site s = {.at = {.file = "a.c", .line = 2}};
	struct dh_excerpt e;

	(void)state;
	put("a.c", five, sizeof(five) - 1);
	e = excerpt(&s, NULL, 0);
	assert_string_equal(e.note, "");
	assert_int_equal(e.first, 1);
	assert_int_equal(e.n, 4);
	assert_line(&e, 2, "\ttwo = x->y + xy;");
	s.at.line = 5;
	e = excerpt(&s, NULL, 0);
	assert_int_equal(e.first, 3);
	assert_int_equal(e.n, 3);
	assert_line(&e, 5, "five");
}

static void mark_is_where_the_access_is(void **state)
{
	struct dh_site s = {.at = {.file = "a.c", .line = 2, .column = 15}};
	struct dh_excerpt e;

	(void)state;
	put("a.c", five, sizeof(five) - 1);
	e = excerpt(&s, NULL, 0);
	assert_int_equal(e.mark, 14);
	assert_int_equal(e.mark_bytes, 2);
	s.at.column = 0;
	e = excerpt(&s, "x->y", 0);
	assert_int_equal(e.mark, 7);
	assert_int_equal(e.mark_bytes, 4);
	e = excerpt(&s, "other.y", 0);
	assert_int_equal(e.mark, 10);
	assert_int_equal(e.mark_bytes, 1);
	e = excerpt(&s, "absent", 0);
	assert_int_equal(e.mark, 1);
	assert_int_equal(e.mark_bytes, 16);
	s.at.column = 4000000000u;
	e = excerpt(&s, NULL, 0);
	assert_int_equal(e.mark, 1);
}

static void changes_are_said(void **state)
{
	struct dh_site s = {.at = {.file = "a.c", .line = 2}, .text = "  three"};
	struct dh_excerpt e;

	(void)state;
	put("a.c", five, sizeof(five) - 1);
	e = excerpt(&s, NULL, 1);
	assert_string_equal(e.note, "source has changed since: line 2 is now line 3");
	assert_int_equal(e.line, 3);
	s.text = "gone = 1;";
	e = excerpt(&s, "gone", 1);
	assert_non_null(strstr(e.note, "not there any more"));
	assert_int_equal(e.n, 1);
	assert_line(&e, 2, "gone = 1;");
	assert_int_equal(e.mark_bytes, 4);
	s.text = "two = x->y + xy;";
	assert_string_equal(excerpt(&s, NULL, 1).note, "");
	s.text = NULL;
	assert_non_null(strstr(excerpt(&s, NULL, 1).note, "may have moved"));
	s.at.line = 6;
	e = excerpt(&s, NULL, 0);
	assert_string_equal(e.note, "source has changed since: it has 5 lines now");
	assert_int_equal(e.n, 0);
}

static void missing_is_said(void **state)
{
	struct dh_site s = {.at = {.file = "none.c", .line = 2}};
	struct dh_excerpt e = excerpt(&s, NULL, 0);

	(void)state;
	assert_string_equal(e.note, "source cannot be read: No such file or directory");
	assert_int_equal(e.n, 0);
	s.text = "x = 1;";
	e = excerpt(&s, "x", 0);
	assert_int_equal(e.n, 1);
	assert_line(&e, 2, "x = 1;");
}

static void only_regular_text_files_are_read(void **state)
{
	static const char nul[] = "a\0b\n";
	DH_FREE char *fifo = dh_asprintf("%s/fifo.c", dir);
	DH_FREE char *big = dh_asprintf("%s/big.c", dir);
	struct dh_site s = {.at = {.file = "fifo.c", .line = 1}};
	int fd;

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_string_equal(excerpt(&s, NULL, 0).note, "source is not a regular file");
	put("nul.c", nul, sizeof(nul));
	s.at.file = "nul.c";
	assert_string_equal(excerpt(&s, NULL, 0).note, "source is not text");
	fd = open(big, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(ftruncate(fd, 1 << 30), 0);
	close(fd);
	s.at.file = "big.c";
	assert_string_equal(excerpt(&s, NULL, 0).note, "source cannot be read: File too large");
	put("empty.c", "", 0);
	s.at.file = "empty.c";
	assert_non_null(strstr(excerpt(&s, NULL, 0).note, "has 0 lines"));
	s.text = "x";
	assert_int_equal(excerpt(&s, NULL, 0).n, 1);
}

static void a_finding_cannot_choose_secrets(void **state)
{
	static const char *const names[] = {"/etc/passwd", "../../etc/passwd", "x/../../etc/passwd",
		"/dev/zero", "/etc/../etc/hostname", ".."};
	struct dh_site s = {.at = {.line = 1}};

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++) {
		struct dh_excerpt e;

		s.at.file = names[i];
		e = excerpt(&s, NULL, 0);
		assert_int_equal(e.n, 0);
		assert_non_null(strstr(e.note, "outside the source directory"));
	}
}

static void long_lines_are_cut(void **state)
{
	DH_FREE char *text = dh_alloc(100000);
	struct dh_site s = {.at = {.file = "long.c", .line = 1, .column = 90000}};
	struct dh_excerpt e;

	(void)state;
	memset(text, 'x', 100000);
	put("long.c", text, 100000);
	e = excerpt(&s, NULL, 0);
	assert_int_equal(e.n, 1);
	assert_true(e.lines[0].len <= 2000);
	assert_true(e.mark + e.mark_bytes <= e.lines[0].len);
}

static int clean_up(void **state)
{
	(void)state;
	excerpt(NULL, NULL, 0);
	return dh_remove_tree(dir);
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(context_is_clipped_to_the_file),
		cmocka_unit_test(mark_is_where_the_access_is),
		cmocka_unit_test(changes_are_said),
		cmocka_unit_test(missing_is_said),
		cmocka_unit_test(only_regular_text_files_are_read),
		cmocka_unit_test(a_finding_cannot_choose_secrets),
		cmocka_unit_test(long_lines_are_cut),
	};
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
