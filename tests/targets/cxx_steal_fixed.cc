/* cxx_steal.cc, mended: the owner looks at both ends under the lock.
 *
 * kind: none */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static constexpr long ITEMS = 4;

static std::mutex lock;
static std::atomic<long> head{0}, tail{0};
static std::atomic<int> taken[ITEMS];

static bool steal(long &item)
{
	std::lock_guard<std::mutex> hold(lock);
	long at = head;

	head = at + 1;
	if (at < tail) {
		item = at;
		return true;
	}
	head = at;
	return false;
}

static bool take(long &item)
{
	std::lock_guard<std::mutex> hold(lock);
	long at = tail - 1;

	if (head > at)
		return false;
	tail = at;
	item = at;
	return true;
}

static void thief()
{
	long item;

	for (int i = 0; i < 2; i++) {
		if (steal(item))
			taken[item]++;
	}
}

int main()
{
	std::thread other;
	long item;

	tail = ITEMS;
	other = std::thread(thief);
	while (take(item))
		taken[item]++;
	other.join();
	for (auto &n : taken)
		assert(n == 1);
}
