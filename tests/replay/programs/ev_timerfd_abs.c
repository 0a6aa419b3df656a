/* timerfd with an absolute time on the real clock, waited for with poll. */
#include "t.h"
#include <poll.h>
#include <sys/timerfd.h>

int main(void)
{
	int fd = TRY(timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK));
	struct pollfd p = {.fd = fd, .events = POLLIN};
	struct itimerspec it = {0};
	struct timespec now;
	uint64_t n;

	CHECK(read(fd, &n, 8) == -1 && errno == EAGAIN);
	TRY(clock_gettime(CLOCK_REALTIME, &it.it_value));
	it.it_value.tv_nsec += 3000000;
	if (it.it_value.tv_nsec >= 1000000000) {
		it.it_value.tv_nsec -= 1000000000;
		it.it_value.tv_sec++;
	}
	TRY(timerfd_settime(fd, TFD_TIMER_ABSTIME, &it, NULL));
	CHECK(poll(&p, 1, 5000) == 1 && p.revents == POLLIN);
	CHECK(read(fd, &n, 8) == 8);
	TRY(clock_gettime(CLOCK_REALTIME, &now));
	say("wanted %ld.%09ld woke %ld.%09ld\n", it.it_value.tv_sec, it.it_value.tv_nsec,
		now.tv_sec, now.tv_nsec);
	return 0;
}
