/* A map is read with [] under the shared lock, but [] adds what it does not find: two readers
 * change the tree at once.
 *
 * kind: data-race
 * harm: heap, crash, assertion, abort, hang */
#include <cassert>
#include <map>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::map<int, int> prices{{1, 10}};

static int price(int item)
{
	std::shared_lock<std::shared_mutex> guard(lock);
	return prices[item]; /* BUG */
}

int main()
{
	std::thread one(price, 2), two(price, 3);

	one.join();
	two.join();
	assert(prices.size() == 3);
	assert(prices.count(2) == 1 && prices.count(3) == 1);
	return 0;
}
