// The flag is set without the lock.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static bool ready;

static void waiter()
{
	std::unique_lock<std::mutex> lock(m);
	while (!ready) // RACE
		changed.wait(lock);
}

int main()
{
	std::thread t(waiter);
	ready = true; // RACE
	changed.notify_one();
	{
		std::lock_guard<std::mutex> guard(m);
		changed.notify_one();
	}
	t.join();
	return 0;
}
