/* close_range closes many at once, or marks them. */
#include "t.h"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

int main(void)
{
	int fds[10];

	for (int i = 0; i < 10; i++)
		fds[i] = TRY(fcntl(TRY(open("/dev/null", O_RDWR)), F_DUPFD, 100 + i * 10));
	TRY(close_range((unsigned)fds[0], (unsigned)fds[4], 0));
	TRY(close_range((unsigned)fds[5], (unsigned)fds[9], CLOSE_RANGE_CLOEXEC));
	for (int i = 0; i < 5; i++)
		CHECK(fcntl(fds[i], F_GETFD) == -1 && errno == EBADF);
	for (int i = 5; i < 10; i++)
		CHECK(fcntl(fds[i], F_GETFD) == FD_CLOEXEC);
	closefrom(50);
	CHECK(fcntl(fds[9], F_GETFD) == -1);
	say("left: %d, pid %d\n", TRY(open("/dev/null", O_RDONLY)), getpid());
	return 0;
}
