/* A shared_ptr's own count is safe; what it points to is not. */
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

struct Stats {
	std::atomic<int> calls{0};
	std::mutex m;
	int locked = 0;
	int bare = 0;
};

static void worker(std::shared_ptr<Stats> s)
{
	for (int i = 0; i < 100; i++) {
		s->calls++; // NORACE
		{
			std::lock_guard<std::mutex> g(s->m);
			s->locked++; // NORACE
		}
		s->bare++; // RACE
	}
}

int main()
{
	auto s = std::make_shared<Stats>();
	std::thread a(worker, s), b(worker, s);

	a.join();
	b.join();
	return s->locked + s->bare; // NORACE
}
