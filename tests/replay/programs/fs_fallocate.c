/* fallocate: reserve, keep the size, punch a hole; not every file system offers all. */
#include "t.h"

static void try_mode(int fd, const char *name, int mode, off_t off, off_t len)
{
	struct stat st;
	int r = fallocate(fd, mode, off, len), e = r < 0 ? errno : 0;

	CHECK(e == 0 || e == EOPNOTSUPP || e == EINVAL);
	TRY(fstat(fd, &st));
	say("%s: %d, size %ld blocks %ld\n", name, e, st.st_size, st.st_blocks);
}

int main(void)
{
	char buf[65536];
	int fd;

	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	t_fill_random(buf, sizeof(buf));
	CHECK(write(fd, buf, sizeof(buf)) == sizeof(buf));
	try_mode(fd, "extend", 0, 65536, 65536);
	try_mode(fd, "keep size", FALLOC_FL_KEEP_SIZE, 131072, 65536);
	try_mode(fd, "punch", FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 8192, 16384);
	try_mode(fd, "zero", FALLOC_FL_ZERO_RANGE, 32768, 4096);
	try_mode(fd, "collapse", FALLOC_FL_COLLAPSE_RANGE, 4096, 4096);
	CHECK(pread(fd, buf, sizeof(buf), 0) == sizeof(buf));
	say("hash %016lx\n", t_hash(buf, sizeof(buf)));
	CHECK(posix_fallocate(fd, 0, 1000) == 0);
	CHECK(fallocate(fd, 0, 0, 0) == -1 && errno == EINVAL);
	return 0;
}
