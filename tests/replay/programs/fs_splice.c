/* vmsplice, tee and splice move random bytes between pipes and a file. */
#include "t.h"

int main(void)
{
	char data[4096], got[4096];
	struct iovec iov = {data, sizeof(data)};
	int a[2], b[2], fd;
	loff_t off = 0;

	t_tmp();
	t_fill_random(data, sizeof(data));
	TRY(pipe(a));
	TRY(pipe(b));
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	CHECK(vmsplice(a[1], &iov, 1, 0) == sizeof(data));
	CHECK(tee(a[0], b[1], sizeof(data), 0) == sizeof(data));
	CHECK(splice(a[0], NULL, fd, &off, sizeof(data), SPLICE_F_MOVE) == sizeof(data));
	CHECK(off == sizeof(data));
	CHECK(read(b[0], got, sizeof(got)) == sizeof(got));
	CHECK(memcmp(got, data, sizeof(data)) == 0);
	memset(got, 0, sizeof(got));
	CHECK(pread(fd, got, sizeof(got), 0) == sizeof(got));
	CHECK(memcmp(got, data, sizeof(data)) == 0);
	CHECK(splice(a[0], NULL, b[1], NULL, 10, SPLICE_F_NONBLOCK) == -1 && errno == EAGAIN);
	off = 96;
	CHECK(splice(fd, &off, a[1], NULL, 1000, 0) == 1000);
	CHECK(read(a[0], got, sizeof(got)) == 1000);
	say("hash %016lx part %016lx off %ld\n", t_hash(data, sizeof(data)), t_hash(got, 1000),
		off);
	return 0;
}
