/* All clocks, with their resolutions. */
#include "t.h"

int main(void)
{
	static const clockid_t ids[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID,
		CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC_RAW, CLOCK_REALTIME_COARSE,
		CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME, CLOCK_TAI};
	struct timespec ts, res;

	for (unsigned i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		TRY(clock_gettime(ids[i], &ts));
		TRY(clock_getres(ids[i], &res));
		say("clock %d: %ld.%09ld resolution %ld.%09ld\n", ids[i], ts.tv_sec, ts.tv_nsec,
			res.tv_sec, res.tv_nsec);
	}
	CHECK(clock_gettime(99, &ts) == -1 && errno == EINVAL);
	return 0;
}
