/* Nameless files: O_TMPFILE given a name later, tmpfile(), an unlinked open file. */
#include "t.h"

int main(void)
{
	char path[64], line[64];
	struct stat st;
	FILE *f;
	int fd;

	t_tmp();
	fd = open(".", O_TMPFILE | O_RDWR, 0600);
	CHECK(fd >= 0 || errno == EOPNOTSUPP);
	if (fd >= 0) {
		CHECK(dprintf(fd, "%d", getpid()) > 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		TRY(linkat(AT_FDCWD, path, AT_FDCWD, "named", AT_SYMLINK_FOLLOW));
		TRY(stat("named", &st));
		say("named inode %lu links %lu\n", st.st_ino, st.st_nlink);
	}
	f = tmpfile();
	CHECK(f);
	fprintf(f, "%lu\n", t_now_ns());
	rewind(f);
	CHECK(fgets(line, sizeof(line), f));
	say("%s", line);
	fclose(f);
	fd = TRY(open("u", O_RDWR | O_CREAT, 0600));
	TRY(unlink("u"));
	TRY(fstat(fd, &st));
	CHECK(st.st_nlink == 0 && write(fd, "still", 5) == 5);
	return 0;
}
