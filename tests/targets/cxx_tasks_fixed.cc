/* A pool of std::thread for std::function tasks.  wait() returns when none is queued or running.
 *
 * kind: none */
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class pool
{
      public:
	explicit pool(int n)
	{
		for (int i = 0; i < n; i++)
			threads.emplace_back([this] { work(); });
	}
	~pool()
	{
		{
			std::lock_guard<std::mutex> g(m);
			stop = true;
		}
		more.notify_all();
		for (auto &t : threads)
			t.join();
	}
	void add(std::function<void()> f)
	{
		{
			std::lock_guard<std::mutex> g(m);
			tasks.push_back(std::move(f));
		}
		more.notify_one();
	}
	void wait()
	{
		std::unique_lock<std::mutex> l(m);

		idle.wait(l, [this] { return tasks.empty() && !running; });
	}

      private:
	void work()
	{
		std::unique_lock<std::mutex> l(m);

		for (;;) {
			more.wait(l, [this] { return stop || !tasks.empty(); });
			if (tasks.empty())
				return;
			auto f = std::move(tasks.front());
			tasks.pop_front();
			running++;
			l.unlock();
			f();
			l.lock();
			running--;
			idle.notify_all();
		}
	}
	std::mutex m;
	std::condition_variable more, idle;
	std::deque<std::function<void()>> tasks;
	std::vector<std::thread> threads;
	int running = 0;
	bool stop = false;
};

int main()
{
	pool p(2);
	auto *results = new std::vector<int>(4);

	for (int i = 0; i < 4; i++)
		p.add([results, i] { (*results)[i] = i + 1; });
	p.wait();
	for (int i = 0; i < 4; i++)
		assert((*results)[i] == i + 1);
	delete results;
	return 0;
}
