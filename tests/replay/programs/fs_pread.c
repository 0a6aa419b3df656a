/* pread, pwrite, preadv, pwritev, preadv2, pwritev2: the offset does not move. */
#include "t.h"

int main(void)
{
	char a[100], b[200], c[300];
	struct iovec w[2] = {{a, sizeof(a)}, {b, sizeof(b)}};
	struct iovec r[3] = {{c, 10}, {c + 10, 0}, {c + 10, 290}};
	ssize_t n;
	int fd;

	t_tmp();
	t_fill_random(a, sizeof(a));
	t_fill_random(b, sizeof(b));
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	CHECK(pwrite(fd, b, 50, 1000) == 50);
	CHECK(pread(fd, c, 100, 990) == 60 && memcmp(c + 10, b, 50) == 0);
	CHECK(pwritev(fd, w, 2, 500) == 300);
	CHECK(preadv(fd, r, 3, 500) == 300 && memcmp(c, a, 100) == 0);
	CHECK(memcmp(c + 100, b, 200) == 0);
	n = pwritev2(fd, w, 2, 5000, RWF_DSYNC);
	CHECK(n == 300);
	memset(c, 0, sizeof(c));
	CHECK(preadv2(fd, r, 3, 5000, 0) == 300);
	say("hash %016lx at %ld\n", t_hash(c, 300), lseek(fd, 0, SEEK_CUR));
	CHECK(lseek(fd, 0, SEEK_CUR) == 0);
	CHECK(preadv2(fd, r, 3, -1, 0) == 300 && lseek(fd, 0, SEEK_CUR) == 300);
	CHECK(pread(fd, c, 1, -1) == -1 && errno == EINVAL);
	return 0;
}
