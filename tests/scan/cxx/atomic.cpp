// std::atomic with operators and member functions.
#include <atomic>
#include <thread>

static std::atomic<int> hits;
static std::atomic<bool> stop{false};
static int plain;

static void work()
{
	while (!stop.load(std::memory_order_acquire)) { // NORACE
		hits++; // NORACE
		hits.fetch_add(2, std::memory_order_relaxed); // NORACE
		plain++; // RACE
		if (hits > 100) // NORACE
			stop = true; // NORACE
	}
}

int main()
{
	std::thread a(work), b(work);
	a.join();
	b.join();
	return hits + plain; // NORACE
}
