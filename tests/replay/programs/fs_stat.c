/* stat, lstat, fstat and fstatat agree, and show what this run made. */
#include "t.h"

static void show(const char *how, const struct stat *st)
{
	say("%s: ino %lu mode %o nlink %lu size %ld blocks %ld ctime %ld.%09ld\n", how, st->st_ino,
		st->st_mode, st->st_nlink, st->st_size, st->st_blocks, st->st_ctim.tv_sec,
		st->st_ctim.tv_nsec);
}

int main(void)
{
	struct stat a, b, c, d, l;
	int fd;

	t_tmp();
	t_write_file("f", "0123456789", 10);
	TRY(symlink("f", "l"));
	fd = TRY(open("f", O_RDONLY));
	TRY(stat("f", &a));
	TRY(fstat(fd, &b));
	TRY(fstatat(AT_FDCWD, "l", &c, 0));
	TRY(fstatat(fd, "", &d, AT_EMPTY_PATH));
	TRY(lstat("l", &l));
	show("stat", &a);
	show("lstat", &l);
	CHECK(a.st_ino == b.st_ino && b.st_ino == c.st_ino && c.st_ino == d.st_ino);
	CHECK(S_ISLNK(l.st_mode) && l.st_size == 1 && a.st_size == 10);
	CHECK(stat("none", &a) == -1 && errno == ENOENT);
	return 0;
}
