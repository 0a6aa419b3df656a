/* The *at family relative to a directory descriptor, while the current directory is elsewhere. */
#include "t.h"

int main(void)
{
	struct timespec ts[2] = {{1, 2}, {0, UTIME_NOW}};
	struct stat st;
	char buf[16];
	int dir, fd;

	t_tmp();
	TRY(mkdir("d", 0755));
	dir = TRY(open("d", O_RDONLY | O_DIRECTORY));
	TRY(chdir("/"));
	TRY(mkdirat(dir, "sub", 0700));
	fd = TRY(openat(dir, "f", O_RDWR | O_CREAT, 0640));
	CHECK(write(fd, "12345", 5) == 5);
	TRY(symlinkat("f", dir, "l"));
	TRY(linkat(dir, "f", dir, "sub/g", 0));
	TRY(fchmodat(dir, "f", 0604, 0));
	TRY(fchownat(dir, "f", (uid_t)-1, (gid_t)-1, 0));
	TRY(faccessat(dir, "f", R_OK | W_OK, 0));
	TRY(utimensat(dir, "f", ts, 0));
	TRY(fstatat(dir, "sub/g", &st, 0));
	say("mode %o links %lu atime %ld mtime %ld.%09ld\n", st.st_mode, st.st_nlink,
		st.st_atim.tv_sec, st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	CHECK(st.st_atim.tv_sec == 1 && st.st_nlink == 2);
	CHECK(readlinkat(dir, "l", buf, sizeof(buf)) == 1);
	TRY(mknodat(dir, "fifo", S_IFIFO | 0600, 0));
	TRY(renameat(dir, "f", dir, "sub/f"));
	CHECK(unlinkat(dir, "sub", AT_REMOVEDIR) == -1 && errno == ENOTEMPTY);
	TRY(unlinkat(dir, "sub/f", 0));
	TRY(unlinkat(dir, "sub/g", 0));
	TRY(unlinkat(dir, "sub", AT_REMOVEDIR));
	return 0;
}
