/* Small ioctls: FIONREAD, FIONBIO, FIOCLEX, FS_IOC_GETFLAGS. */
#include "t.h"
#include <linux/fs.h>
#include <sys/ioctl.h>

int main(void)
{
	int p[2], n = -1, on = 1, fd, r;
	long flags = 0;
	char c;

	t_tmp();
	TRY(pipe(p));
	for (unsigned i = t_rand_in(1, 50); i; i--)
		CHECK(write(p[1], "x", 1) == 1);
	TRY(ioctl(p[0], FIONREAD, &n));
	say("waiting: %d\n", n);
	for (; n; n--)
		CHECK(read(p[0], &c, 1) == 1);
	TRY(ioctl(p[0], FIONBIO, &on));
	CHECK(read(p[0], &c, 1) == -1 && errno == EAGAIN);
	TRY(ioctl(p[0], FIOCLEX));
	CHECK(fcntl(p[0], F_GETFD) == FD_CLOEXEC);
	TRY(ioctl(p[0], FIONCLEX));
	CHECK(fcntl(p[0], F_GETFD) == 0);
	t_write_file("f", "x", 1);
	fd = TRY(open("f", O_RDONLY));
	r = ioctl(fd, FS_IOC_GETFLAGS, &flags);
	say("flags %d %lx\n", r < 0 ? errno : 0, flags);
	return 0;
}
