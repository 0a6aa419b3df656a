/* cxx_async.cc, mended: the sum is made of the results.
 *
 * kind: none */
#include <cassert>
#include <future>

static int sum;

static int part(int from, int to)
{
	int own = 0;

	for (int i = from; i < to; i++)
		own += i;
	return own;
}

int main()
{
	auto one = std::async(std::launch::async, part, 0, 50);
	auto two = std::async(std::launch::async, part, 50, 101);
	int both = one.get() + two.get();

	sum += both;
	assert(both == 5050 && sum == both);
	return 0;
}
