#include "../unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"

static void grows_and_steals(void **state)
{
	struct dh_buf b = DH_BUF_INIT;
	char *s;

	(void)state;
	for (int i = 0; i < 1000; i++)
		dh_buf_addf(&b, "%d,", i);
	assert_int_equal(strlen(dh_buf_str(&b)), b.len);
	s = dh_buf_steal(&b);
	assert_memory_equal(s, "0,1,2,", 6);
	free(s);
	assert_string_equal(dh_buf_str(&b), "");
}

static void arena_keeps_everything(void **state)
{
	struct dh_arena a = DH_ARENA_INIT;
	char *p[500];

	(void)state;
	for (size_t i = 0; i < 500; i++) {
		p[i] = dh_arena_alloc(&a, i * 100);
		assert_int_equal((uintptr_t)p[i] % 16, 0);
		memset(p[i], (int)(i & 0xff), i * 100);
	}
	for (size_t i = 0; i < 500; i++) {
		for (size_t k = 0; k < i * 100; k++)
			assert_int_equal((unsigned char)p[i][k], i & 0xff);
	}
	dh_arena_release(&a);
}

/* A pipe stands for /dev/null and other devices: it is written to and is still there. */
static void special_files_stay(void **state)
{
	char dir[] = "/tmp/dh-special-XXXXXX", path[64], got[8] = "";
	struct stat st;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/pipe", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	assert_int_equal(dh_write_file_atomic(path, "hello", 5, NULL), 0);
	assert_int_equal(read(fd, got, 5), 5);
	assert_string_equal(got, "hello");
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	close(fd);
	assert_int_equal(dh_remove_tree(dir), 0);
}

static void files_and_directories(void **state)
{
	char dir[] = "/tmp/dh-test-XXXXXX";
	struct dh_buf b = DH_BUF_INIT;
	struct dh_error err = DH_ERROR_INIT;
	char *sub, *file;

	(void)state;
	assert_non_null(mkdtemp(dir));
	sub = dh_asprintf("%s/a/b/c", dir);
	file = dh_asprintf("%s/f", sub);
	assert_int_equal(dh_mkdir_p(sub, 0755, &err), 0);
	assert_int_equal(dh_mkdir_p(sub, 0755, &err), 0);
	assert_int_equal(dh_write_file_atomic(file, "hello", 5, &err), 0);
	assert_int_equal(dh_read_file(file, 100, &b, &err), 0);
	assert_string_equal(dh_buf_str(&b), "hello");
	assert_true(dh_read_file(file, 3, &b, &err) < 0);
	assert_non_null(strstr(err.text, "larger than"));
	assert_int_equal(dh_remove_tree(dir), 0);
	assert_int_equal(dh_remove_tree(dir), 0);
	assert_true(access(dir, F_OK) < 0);
	free(sub);
	free(file);
	dh_buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_and_steals),
		cmocka_unit_test(arena_keeps_everything),
		cmocka_unit_test(files_and_directories),
		cmocka_unit_test(special_files_stay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
