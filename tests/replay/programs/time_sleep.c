/* nanosleep, usleep, sleep(0), clock_nanosleep relative and absolute. */
#include "t.h"

int main(void)
{
	struct timespec ts = {0, 1200000}, at;
	uint64_t t = t_now_ns(), u;

	TRY(nanosleep(&ts, NULL));
	u = t_now_ns();
	say("nanosleep %lu\n", u - t);
	CHECK(u - t >= 1200000);
	TRY(usleep(900));
	say("usleep %lu\n", t_now_ns() - u);
	TRY0(clock_nanosleep(CLOCK_REALTIME, 0, &ts, NULL));
	TRY(clock_gettime(CLOCK_MONOTONIC, &at));
	at.tv_nsec += 2000000;
	if (at.tv_nsec >= 1000000000) {
		at.tv_nsec -= 1000000000;
		at.tv_sec++;
	}
	TRY0(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL));
	t = t_now_ns();
	say("absolute late by %lu\n",
		t - ((uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec));
	CHECK(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &ts, NULL) == EINVAL);
	CHECK(sleep(0) == 0);
	ts.tv_nsec = 2000000000;
	CHECK(nanosleep(&ts, NULL) == -1 && errno == EINVAL);
	return 0;
}
