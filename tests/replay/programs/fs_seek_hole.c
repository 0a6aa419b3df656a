/* lseek with SEEK_DATA and SEEK_HOLE in a sparse file. */
#include "t.h"

int main(void)
{
	char page[4096];
	off_t at = 0;
	int fd;

	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	memset(page, 'x', sizeof(page));
	for (int i = 0; i < 4; i++) {
		at += (off_t)t_rand_in(50, 300) * 4096;
		CHECK(pwrite(fd, page, sizeof(page), at) == sizeof(page));
	}
	TRY(ftruncate(fd, at + 1000000));
	for (off_t p = 0; (p = lseek(fd, p, SEEK_DATA)) >= 0;) {
		off_t h = TRY(lseek(fd, p, SEEK_HOLE));

		say("data %ld..%ld\n", p, h);
		CHECK(h > p);
		p = h;
	}
	CHECK(errno == ENXIO);
	say("end %ld\n", TRY(lseek(fd, -10, SEEK_END)));
	CHECK(lseek(fd, -1, SEEK_SET) == -1 && errno == EINVAL);
	return 0;
}
