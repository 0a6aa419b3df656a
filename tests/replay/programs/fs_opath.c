/* O_PATH descriptors: good for stat and openat, not for reading. */
#include "t.h"

int main(void)
{
	struct stat st;
	char c, path[64];
	int dir, f, again;

	t_tmp();
	t_write_file("f", "x", 1);
	dir = TRY(open(".", O_PATH | O_DIRECTORY));
	f = TRY(openat(dir, "f", O_PATH));
	CHECK(read(f, &c, 1) == -1 && errno == EBADF);
	TRY(fstat(f, &st));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", f);
	again = TRY(open(path, O_RDONLY));
	CHECK(read(again, &c, 1) == 1 && c == 'x');
	say("inode %lu flags %o\n", st.st_ino, fcntl(f, F_GETFL));
	CHECK(fcntl(f, F_GETFL) & O_PATH);
	return 0;
}
