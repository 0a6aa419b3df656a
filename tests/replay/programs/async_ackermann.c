/* Deep and irregular recursion. */
#include "async.h"

static uint64_t __attribute__((noinline)) ack(uint64_t m, uint64_t n)
{
	if (!m)
		return n + 1;
	if (!n)
		return ack(m - 1, 1);
	return ack(m - 1, ack(m, n - 1));
}

int main(void)
{
	uint64_t sum = 0;

	async_start();
	while (async_more())
		sum += ack(2, 60);
	say("end %lu\n", sum);
	return 0;
}
