/* rename, renameat, renameat2 with its flags. */
#include "t.h"

static unsigned long inode(const char *name)
{
	struct stat st;

	return stat(name, &st) < 0 ? 0 : st.st_ino;
}

int main(void)
{
	unsigned long a, b;
	int r;

	t_tmp();
	t_write_file("a", "a", 1);
	t_write_file("b", "b", 1);
	a = inode("a");
	b = inode("b");
	say("a %lu b %lu\n", a, b);
	TRY(rename("a", "c"));
	CHECK(inode("c") == a && !inode("a"));
	CHECK(renameat2(AT_FDCWD, "c", AT_FDCWD, "b", RENAME_NOREPLACE) == -1 &&
		(errno == EEXIST || errno == EINVAL));
	r = renameat2(AT_FDCWD, "c", AT_FDCWD, "b", RENAME_EXCHANGE);
	say("exchange %d, b is now %lu\n", r, inode("b"));
	TRY(renameat(AT_FDCWD, "b", AT_FDCWD, "c"));
	CHECK(!inode("b") && inode("c"));
	TRY(mkdir("d", 0755));
	CHECK(rename("d", "d/e") == -1 && errno == EINVAL);
	CHECK(rename("c", "d") == -1 && errno == EISDIR);
	CHECK(rename("none", "x") == -1 && errno == ENOENT);
	return 0;
}
