// std::atomic members, relaxed statistics, and a plain one beside.
#include <atomic>
#include <thread>
#include <vector>

struct Stats {
	std::atomic<int> ok{0};
	int failed = 0;
	std::atomic<bool> stop{false};
};

static void work(Stats &s)
{
	s.ok++;                                       // NORACE
	s.ok.fetch_add(1, std::memory_order_relaxed); // NORACE
	s.failed++;                                   // RACE
	if (s.stop)                                   // NORACE
		return;
}

int main()
{
	Stats s;
	std::vector<std::thread> v;

	for (int i = 0; i < 3; i++)
		v.emplace_back(work, std::ref(s));
	s.stop = true; // NORACE
	for (auto &t : v)
		t.join();
	return s.ok + s.failed; // NORACE
}
