/* open: exclusive creation, truncation, append, and the inode that came out. */
#include "t.h"

int main(void)
{
	struct stat st;
	int fd;

	t_tmp();
	fd = TRY(open("a", O_RDWR | O_CREAT | O_EXCL, 0600));
	CHECK(open("a", O_RDWR | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST);
	CHECK(write(fd, "hello", 5) == 5);
	TRY(close(fd));
	fd = TRY(open("a", O_WRONLY | O_APPEND));
	TRY(lseek(fd, 0, SEEK_SET));
	CHECK(write(fd, " you", 4) == 4);
	TRY(fstat(fd, &st));
	say("size %ld inode %lu dev %lx\n", st.st_size, st.st_ino, st.st_dev);
	CHECK(st.st_size == 9);
	TRY(close(fd));
	fd = TRY(open("a", O_RDWR | O_TRUNC));
	TRY(fstat(fd, &st));
	say("size %ld changed %ld.%09ld\n", st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	CHECK(st.st_size == 0);
	CHECK(open("a/b", O_RDONLY) == -1 && errno == ENOTDIR);
	CHECK(open("missing", O_RDONLY) == -1 && errno == ENOENT);
	CHECK(open(".", O_RDWR) == -1 && errno == EISDIR);
	return 0;
}
