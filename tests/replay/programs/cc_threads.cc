/* C++ threads, mutexes, futures, atomics. */
#include "t.h"
#include <atomic>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

int main()
{
	std::vector<std::thread> pool;
	std::string order;
	std::mutex m;
	std::atomic<int> left{100};

	for (int i = 0; i < 4; i++)
		pool.emplace_back([&, i] {
			while (left.fetch_sub(1) > 0) {
				std::lock_guard<std::mutex> hold(m);
				order += static_cast<char>('a' + i);
				if (order.size() % 7 == 0)
					std::this_thread::yield();
			}
		});
	for (auto &t : pool)
		t.join();
	auto f = std::async(std::launch::async, [] { return t_rand(); });
	say("%s\n%016lx\n", order.c_str(), f.get());
	CHECK(order.size() == 100);
	return 0;
}
