/* posix_fadvise and readahead, then reading what they may have brought in. */
#include "t.h"

int main(void)
{
	char buf[16384];
	int fd;

	t_tmp();
	t_fill_random(buf, sizeof(buf));
	t_write_file("f", buf, sizeof(buf));
	fd = TRY(open("f", O_RDONLY));
	CHECK(posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL) == 0);
	CHECK(posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED) == 0);
	CHECK(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0);
	CHECK(posix_fadvise(fd, 0, 0, 999) == EINVAL);
	CHECK(readahead(fd, 0, sizeof(buf)) == 0 || errno == EINVAL);
	CHECK(read(fd, buf, sizeof(buf)) == sizeof(buf));
	say("hash %016lx\n", t_hash(buf, sizeof(buf)));
	return 0;
}
