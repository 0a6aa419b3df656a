/* gettimeofday, time, ftime-like conversions, a thousand times; never backwards. */
#include "t.h"

int main(void)
{
	struct timeval tv, last = {0};
	uint64_t mix = 0;
	time_t t, u;

	for (int i = 0; i < 1000; i++) {
		TRY(gettimeofday(&tv, NULL));
		CHECK(tv.tv_sec > last.tv_sec || tv.tv_usec >= last.tv_usec);
		last = tv;
		mix = mix * 31 + (uint64_t)tv.tv_usec;
	}
	t = time(&u);
	CHECK(t == u && t >= last.tv_sec);
	say("%ld.%06ld mix %016lx\n", tv.tv_sec, tv.tv_usec, mix);
	return 0;
}
