/* Clock: how much time has passed.  Seconds of the monotonic clock, to be subtracted from each
 * other. */
#pragma once
#include <time.h>

static inline double dh_clock_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
