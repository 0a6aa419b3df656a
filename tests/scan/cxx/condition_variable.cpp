// wait with a predicate: the predicate runs with the lock held.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static bool ready;
static int polls;

static void waiter()
{
	std::unique_lock<std::mutex> lock(m);
	changed.wait(lock, [] { return ready; }); // NORACE
	polls++; // NORACE
}

int main()
{
	std::thread t(waiter);
	{
		std::lock_guard<std::mutex> guard(m);
		ready = true; // NORACE
		polls++; // NORACE
	}
	changed.notify_one();
	t.join();
	return polls; // NORACE
}
