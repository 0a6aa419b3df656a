/* fsync, fdatasync, sync_file_range, syncfs: nothing to see but the time they took. */
#include "t.h"

int main(void)
{
	char buf[4096];
	uint64_t t;
	int fd;

	t_tmp();
	t_fill_random(buf, sizeof(buf));
	fd = TRY(open("f", O_RDWR | O_CREAT | O_DSYNC, 0600));
	for (int i = 0; i < 3; i++) {
		t = t_now_ns();
		CHECK(write(fd, buf, sizeof(buf)) == sizeof(buf));
		TRY(fsync(fd));
		TRY(fdatasync(fd));
		say("took %lu ns\n", t_now_ns() - t);
	}
	CHECK(sync_file_range(fd, 0, 4096, SYNC_FILE_RANGE_WRITE) == 0 || errno == ESPIPE);
	CHECK(fsync(-1) == -1 && errno == EBADF);
	return 0;
}
