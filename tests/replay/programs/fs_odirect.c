/* O_DIRECT with aligned buffers, where the file system allows it. */
#include "t.h"

int main(void)
{
	char *buf = aligned_alloc(4096, 8192);
	int fd;

	CHECK(buf);
	t_tmp();
	fd = open("f", O_RDWR | O_CREAT | O_DIRECT, 0600);
	if (fd < 0) {
		CHECK(errno == EINVAL);
		say("no O_DIRECT, pid %d\n", getpid());
		return 0;
	}
	t_fill_random(buf, 8192);
	CHECK(write(fd, buf, 8192) == 8192);
	say("wrote %016lx\n", t_hash(buf, 8192));
	memset(buf, 0, 8192);
	CHECK(pread(fd, buf, 8192, 0) == 8192);
	say("read  %016lx\n", t_hash(buf, 8192));
	free(buf);
	return 0;
}
