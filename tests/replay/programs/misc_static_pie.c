/* A static position-independent executable. */
#include "t.h"

int main(void)
{
	struct timespec ts;

	TRY(clock_gettime(CLOCK_MONOTONIC, &ts));
	say("static pie: main %p stack %p at %ld.%09ld\n", (void *)(uintptr_t)main, (void *)&ts,
		ts.tv_sec, ts.tv_nsec);
	return 0;
}
