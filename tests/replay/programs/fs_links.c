/* Hard and symbolic links, their counts, and loops. */
#include "t.h"

int main(void)
{
	char target[64], buf[64];
	struct stat st;
	ssize_t n;

	t_tmp();
	snprintf(target, sizeof(target), "%016lx", t_rand());
	t_write_file(target, "x", 1);
	TRY(link(target, "h1"));
	TRY(linkat(AT_FDCWD, "h1", AT_FDCWD, "h2", 0));
	TRY(symlink(target, "s"));
	TRY(symlinkat("loop", AT_FDCWD, "loop"));
	TRY(stat("s", &st));
	say("inode %lu links %lu\n", st.st_ino, st.st_nlink);
	CHECK(st.st_nlink == 3);
	n = TRY(readlink("s", buf, sizeof(buf)));
	CHECK(n == 16 && memcmp(buf, target, 16) == 0);
	CHECK(readlink("s", buf, 4) == 4);
	CHECK(readlinkat(AT_FDCWD, "h1", buf, sizeof(buf)) == -1 && errno == EINVAL);
	CHECK(open("loop", O_RDONLY) == -1 && errno == ELOOP);
	CHECK(open("s", O_RDONLY | O_NOFOLLOW) == -1 && errno == ELOOP);
	TRY(unlink("h1"));
	TRY(unlinkat(AT_FDCWD, "h2", 0));
	TRY(stat(target, &st));
	say("%s has %lu link, ctime %ld.%09ld\n", target, st.st_nlink, st.st_ctim.tv_sec,
		st.st_ctim.tv_nsec);
	return 0;
}
