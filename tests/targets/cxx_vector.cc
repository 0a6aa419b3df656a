/* Two threads push into one vector.  Both grow it, and one of the values or the whole block is
 * gone.
 *
 * kind: data-race
 * harm: heap, crash, assertion, abort */
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> values;

static void collect(int value)
{
	for (int i = 0; i < 3; i++) {
		values.push_back(value); /* BUG */
	}
}

int main()
{
	std::thread one(collect, 1), two(collect, 2);

	one.join();
	two.join();
	assert(values.size() == 6);
	return 0;
}
