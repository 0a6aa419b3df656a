/* eventfd as a counter between two processes. */
#include "t.h"
#include <sys/eventfd.h>

int main(void)
{
	int fd = TRY(eventfd(5, EFD_NONBLOCK)), blocking = TRY(eventfd(0, EFD_CLOEXEC));
	uint64_t v = t_rand() % 1000, got;
	pid_t pid;

	CHECK(write(fd, &v, 8) == 8);
	CHECK(read(fd, &got, 8) == 8 && got == v + 5);
	say("counter %lu\n", got);
	CHECK(read(fd, &got, 8) == -1 && errno == EAGAIN);
	CHECK(read(fd, &got, 4) == -1 && errno == EINVAL);
	pid = TRY(fork());
	if (!pid) {
		v = (uint64_t)getpid();
		CHECK(write(blocking, &v, 8) == 8);
		_exit(0);
	}
	CHECK(read(blocking, &got, 8) == 8);
	say("child wrote %lu\n", got);
	CHECK(got == (uint64_t)pid && t_wait(pid) == 0);
	return 0;
}
