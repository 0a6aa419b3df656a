/* A thread's lambda holds a local variable by reference, and the function that owns the variable
 * does not wait for it.
 *
 * kind: order-violation
 * harm: assertion, crash */
#include <atomic>
#include <cassert>
#include <thread>
#include <unistd.h>

static std::atomic<bool> begun;
static long total;

static __attribute__((noinline)) std::thread start(long amount)
{
	volatile long prices[4] = {amount, amount, amount, amount};
	std::thread t([&prices] { /* BUG */
		begun = true;
		total = prices[3]; /* BUG */
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
