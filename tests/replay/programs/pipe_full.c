/* A nonblocking pipe is filled to the brim, drained in part, filled again. */
#include "t.h"

static long fill(int fd)
{
	char buf[1000];
	long total = 0;
	ssize_t n;

	memset(buf, 'f', sizeof(buf));
	while ((n = write(fd, buf, sizeof(buf))) > 0)
		total += n;
	CHECK(errno == EAGAIN);
	return total;
}

int main(void)
{
	char buf[5000];
	int p[2];
	long n;

	TRY(pipe2(p, O_NONBLOCK));
	CHECK(read(p[0], buf, 1) == -1 && errno == EAGAIN);
	say("default size %d\n", TRY(fcntl(p[1], F_GETPIPE_SZ)));
	say("filled %ld\n", fill(p[1]));
	CHECK(read(p[0], buf, sizeof(buf)) == sizeof(buf));
	say("refilled %ld\n", fill(p[1]));
	n = TRY(fcntl(p[1], F_SETPIPE_SZ, 1 << 18));
	say("resized %ld, filled %ld\n", n, fill(p[1]));
	TRY(close(p[1]));
	for (n = 0;;) {
		ssize_t r = TRY(read(p[0], buf, t_rand_in(1000, 5000)));

		if (!r)
			break;
		n += r;
	}
	say("drained %ld\n", n);
	return 0;
}
