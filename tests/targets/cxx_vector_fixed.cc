/* cxx_vector.cc, mended: the vector has a mutex.
 *
 * kind: none */
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> values;
static std::mutex lock;

static void collect(int value)
{
	for (int i = 0; i < 3; i++) {
		std::lock_guard<std::mutex> guard(lock);
		values.push_back(value);
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
