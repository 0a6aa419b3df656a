// The same, with an atomic for what readers count.
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int value;
static std::atomic<int> reads;

static int get()
{
	std::shared_lock<std::shared_mutex> lock(m);
	reads++; // NORACE
	return value; // NORACE
}

static void set(int v)
{
	std::unique_lock<std::shared_mutex> lock(m);
	value = v; // NORACE
}

int main()
{
	std::thread a([] { set(get() + 1); });
	std::thread b([] { set(get() + 2); });
	a.join();
	b.join();
	return value + reads; // NORACE
}
