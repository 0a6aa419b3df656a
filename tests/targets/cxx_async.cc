/* Two std::async tasks add to the same sum; that their results come through futures does not
 * protect what they do besides.
 *
 * kind: data-race
 * harm: assertion */
#include <cassert>
#include <future>

static int sum;

static int part(int from, int to)
{
	int own = 0;

	for (int i = from; i < to; i++)
		own += i;
	sum += own; /* BUG */
	return own;
}

int main()
{
	auto one = std::async(std::launch::async, part, 0, 50);
	auto two = std::async(std::launch::async, part, 50, 101);
	int both = one.get() + two.get();

	assert(both == 5050 && sum == both);
	return 0;
}
