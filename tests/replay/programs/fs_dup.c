/* dup, dup2, dup3, F_DUPFD: shared offsets, flags of their own. */
#include "t.h"

int main(void)
{
	char buf[16];
	int a, b, c, d, e;

	t_tmp();
	t_write_file("f", "abcdefghijklmnop", 16);
	a = TRY(open("f", O_RDWR | O_CLOEXEC));
	b = TRY(dup(a));
	c = TRY(dup2(a, 100));
	d = TRY(dup3(a, 101, O_CLOEXEC));
	e = TRY(fcntl(a, F_DUPFD_CLOEXEC, 200));
	CHECK(c == 100 && d == 101 && e >= 200);
	CHECK(read(a, buf, 3) == 3 && read(b, buf, 3) == 3 && read(c, buf, 3) == 3);
	say("%.3s at %ld\n", buf, lseek(e, 0, SEEK_CUR));
	CHECK(lseek(e, 0, SEEK_CUR) == 9 && memcmp(buf, "ghi", 3) == 0);
	say("cloexec %d %d %d %d\n", fcntl(a, F_GETFD), fcntl(b, F_GETFD), fcntl(d, F_GETFD),
		fcntl(e, F_GETFD));
	TRY(fcntl(b, F_SETFL, O_APPEND | O_NONBLOCK));
	say("flags %o %o\n", fcntl(a, F_GETFL), fcntl(d, F_GETFL));
	CHECK(fcntl(a, F_GETFL) & O_APPEND);
	CHECK(dup2(a, a) == a && dup3(a, a, 0) == -1 && errno == EINVAL);
	CHECK(dup(999) == -1 && errno == EBADF);
	return 0;
}
