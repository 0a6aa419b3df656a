// Readers with shared_lock, writers with unique_lock; one write under the shared lock.
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int value, reads;

static int get()
{
	std::shared_lock<std::shared_mutex> lock(m);
	reads++; // RACE
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
