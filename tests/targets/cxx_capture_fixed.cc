/* cxx_capture.cc, mended: the lambda has a copy.
 *
 * kind: none */
#include <atomic>
#include <cassert>
#include <thread>
#include <unistd.h>

static std::atomic<bool> begun;
static long total;

static __attribute__((noinline)) std::thread start(long amount)
{
	volatile long prices[4] = {amount, amount, amount, amount};
	std::thread t([copy = prices[3]] {
		begun = true;
		total = copy;
	});

	while (!begun)
		usleep(500);
	return t;
}

static __attribute__((noinline)) void clear()
{
	volatile char space[256];

	for (char volatile &c : space)
		c = 0;
}

int main()
{
	std::thread t = start(25);
	clear();
	t.join();
	assert(total == 25);
	return 0;
}
