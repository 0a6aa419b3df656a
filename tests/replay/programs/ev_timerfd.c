/* timerfd: interval expirations counted by read, disarm, gettime. */
#include "t.h"
#include <sys/timerfd.h>

int main(void)
{
	struct itimerspec it = {{0, 500000}, {0, 300000}}, cur;
	int fd = TRY(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
	uint64_t n, total = 0;

	TRY(timerfd_settime(fd, 0, &it, NULL));
	for (int i = 0; i < 15; i++) {
		CHECK(read(fd, &n, 8) == 8 && n > 0);
		total += n;
		say("%lu expirations at %lu\n", n, t_now_ns());
		if (i % 4 == 0)
			t_sleep_us(t_rand_in(200, 2500));
	}
	TRY(timerfd_gettime(fd, &cur));
	say("left %ld.%09ld of %ld\n", cur.it_value.tv_sec, cur.it_value.tv_nsec,
		cur.it_interval.tv_nsec);
	memset(&it, 0, sizeof(it));
	TRY(timerfd_settime(fd, 0, &it, &cur));
	CHECK(total >= 15 && cur.it_interval.tv_nsec == 500000);
	return 0;
}
