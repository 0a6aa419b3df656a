/* What C++ has: std::thread and its kin, exceptions out of call_once, waiting on atomics. */
#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>
static std::once_flag flag;
static int tries;
static std::atomic<int> word;
static std::shared_mutex sm;
static std::latch started(3);
static std::counting_semaphore<4> sem(1);
static int value;
static thread_local struct Local {
	int n = 0;
	~Local()
	{
		std::lock_guard<std::shared_mutex> g(sm);
		value++;
	}
} local;
struct Single {
	Single()
	{
		std::this_thread::yield();
		n = 5;
	}
	int n;
};
static int single()
{
	static Single s;
	return s.n;
}
static void once()
{
	try {
		std::call_once(flag, [] {
			if (++tries < 3)
				throw std::runtime_error("again");
		});
	} catch (std::runtime_error &) {
	}
}
static void work(int i)
{
	local.n = i;
	started.arrive_and_wait();
	for (int k = 0; k < 3; k++)
		once();
	assert(single() == 5);
	if (i == 0) {
		word.store(1);
		word.notify_all();
	} else
		word.wait(0);
	sem.acquire();
	{
		std::shared_lock<std::shared_mutex> g(sm);
		assert(value >= 0);
	}
	sem.release();
}
int main()
{
	std::vector<std::jthread> t;
	for (int i = 0; i < 3; i++)
		t.emplace_back(work, i);
	t.clear();
	assert(tries == 3);
	assert(value == 3);
	auto f = std::async(std::launch::async, [] { return 42; });
	assert(f.get() == 42);
	std::mutex m;
	std::condition_variable cv;
	bool ready = false;
	std::jthread u([&] {
		std::lock_guard<std::mutex> g(m);
		ready = true;
		cv.notify_one();
	});
	std::unique_lock<std::mutex> l(m);
	cv.wait_for(l, std::chrono::hours(1), [&] { return ready; });
	assert(ready);
	std::timed_mutex tm;
	tm.lock();
	std::jthread w([&] { assert(!tm.try_lock_for(std::chrono::seconds(5))); });
	w.join();
	tm.unlock();
	return 0;
}
