/* Which calls must not overtake each other (wire/touch.h). */
#include "../unit.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "wire/touch.h"

#define ROW_OPEN   DH_TOUCH_CREATES
#define ROW_READ   DH_TOUCH_OFFSET
#define ROW_WRITE  (DH_TOUCH_STORES | DH_TOUCH_OFFSET)
#define ROW_UNLINK (DH_TOUCH_STORES | DH_TOUCH_NAMES)
#define ROW_EXEC   DH_TOUCH_PROC

/* A call on one file; ino 0: there is none of that name. */
static struct dh_touch touch(unsigned how, uint32_t mode, uint64_t ino, const char *path)
{
	struct dh_touch t = {0};

	dh_touch_begin(&t, how);
	dh_touch_file(&t, ino ? mode : 0, 1, ino, 1, how);
	dh_touch_path(&t, path, how);
	return t;
}

static struct dh_touch file(unsigned how, uint64_t ino, const char *path)
{
	return touch(how, S_IFREG | 0644, ino, path);
}

static bool meet(struct dh_touch a, struct dh_touch b)
{
	assert_int_equal(dh_touch_meet(&a, &b), dh_touch_meet(&b, &a));
	return dh_touch_meet(&a, &b);
}

static void test_looking(void **state)
{
	unsigned opens = dh_touch_how(ROW_OPEN, O_RDONLY);

	assert_false(meet(file(opens, 7, "/a/b"), file(opens, 7, "/a/b")));
	assert_false(meet(file(opens, 7, "/a/b"), file(ROW_READ, 7, "/a/b")));
	assert_true(meet(file(ROW_READ, 7, "/a/b"), file(ROW_READ, 7, "/a/b")));
}

static void test_changing(void **state)
{
	unsigned creates = dh_touch_how(ROW_OPEN, O_WRONLY | O_CREAT);

	assert_true(meet(file(ROW_WRITE, 7, "/a/b"), file(0, 7, "/other/name")));
	assert_false(meet(file(ROW_WRITE, 7, "/a/b"), file(0, 8, "/a/c")));
	/* What is not there yet is known by its name, and to who lists the directory. */
	assert_true(meet(file(creates, 0, "/a/b"), file(0, 0, "/a/b")));
	assert_true(meet(file(creates, 0, "/a/b"), touch(0, S_IFDIR | 0755, 5, "/a")));
	assert_false(meet(file(creates, 0, "/a/b"), file(0, 0, "/a/c")));
	assert_true(meet(file(ROW_UNLINK, 7, "/a/b"), file(0, 0, "/a/b")));
	/* Below a directory everything has another name then. */
	assert_true(meet(touch(ROW_UNLINK, S_IFDIR | 0755, 5, "/a"), file(0, 7, "/a/b")));
}

static void test_not_files(void **state)
{
	assert_true(meet(touch(0, S_IFIFO, 9, "pipe:[9]"), touch(0, S_IFIFO, 9, "pipe:[9]")));
	assert_false(meet(touch(0, S_IFIFO, 9, "pipe:[9]"), touch(0, S_IFIFO, 8, "pipe:[8]")));
	/* The other end is another file. */
	assert_true(meet(touch(0, S_IFSOCK, 9, "socket:[9]"), touch(0, S_IFSOCK, 8, "socket:[8]")));
	assert_true(meet(file(ROW_EXEC, 7, "/bin/sh"), file(0, 3, "/proc/12/stat")));
	assert_false(meet(file(ROW_EXEC, 7, "/bin/sh"), file(0, 7, "/bin/sh")));
}

static void test_all(void **state)
{
	struct dh_touch nothing = {0};

	assert_true(meet(file(DH_TOUCH_ALL, 7, "/a"), file(0, 8, "/b")));
	assert_false(meet(file(DH_TOUCH_ALL, 7, "/a"), nothing));
	assert_true(meet(file(DH_TOUCH_EVERY, 7, "/a"), nothing));
}

static void test_too_many(void **state)
{
	struct dh_touch t = {0};

	for (uint64_t i = 0; i <= DH_TOUCH_MAX; i++)
		dh_touch_add(&t, i << 8, 0);
	assert_true(meet(t, file(0, 8, "/b")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_looking),
		cmocka_unit_test(test_changing),
		cmocka_unit_test(test_not_files),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
