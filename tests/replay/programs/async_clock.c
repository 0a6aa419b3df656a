/* A loop of clock_gettime and gettimeofday calls. */
#include "async.h"

int main(void)
{
	uint64_t calls = 0, mix = 0;
	struct timespec ts;
	struct timeval tv;

	async_counter = &calls;
	async_start();
	while (async_more()) {
		TRY(clock_gettime(CLOCK_REALTIME, &ts));
		TRY(gettimeofday(&tv, NULL));
		mix = mix * 31 + (uint64_t)ts.tv_nsec + (uint64_t)tv.tv_usec;
		calls++;
	}
	say("end %lu %016lx\n", calls, mix);
	return 0;
}
