/* truncate and ftruncate, shorter and longer; the new part reads as zeros. */
#include "t.h"

int main(void)
{
	char buf[8192];
	struct stat st;
	int fd;

	t_tmp();
	t_fill_random(buf, sizeof(buf));
	t_write_file("f", buf, sizeof(buf));
	TRY(truncate("f", 100));
	fd = TRY(open("f", O_RDWR));
	TRY(ftruncate(fd, 5000));
	CHECK(read(fd, buf, sizeof(buf)) == 5000);
	for (int i = 100; i < 5000; i++)
		CHECK(buf[i] == 0);
	TRY(fstat(fd, &st));
	say("hash %016lx size %ld mtime %ld.%09ld\n", t_hash(buf, 5000), st.st_size,
		st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	CHECK(ftruncate(fd, -1) == -1 && errno == EINVAL);
	CHECK(truncate("none", 1) == -1 && errno == ENOENT);
	return 0;
}
