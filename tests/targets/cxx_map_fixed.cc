/* cxx_map.cc, mended: find does not add anything.
 *
 * kind: none */
#include <cassert>
#include <map>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::map<int, int> prices{{1, 10}};

static int price(int item)
{
	std::shared_lock<std::shared_mutex> guard(lock);
	auto found = prices.find(item);
	return found == prices.end() ? 0 : found->second;
}

int main()
{
	std::thread one(price, 2), two(price, 3);
	std::size_t before = 1;

	one.join();
	two.join();
	assert(prices.size() == before);
	return 0;
}
