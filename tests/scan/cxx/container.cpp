// push_back from two threads: the writes are inside the library.
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> bare, guarded;
static std::mutex m;

static void work(int n)
{
	bare.push_back(n); // MISS RACE
	std::lock_guard<std::mutex> guard(m);
	guarded.push_back(n); // NORACE
}

int main()
{
	std::thread a(work, 1), b(work, 2);
	a.join();
	b.join();
	return static_cast<int>(bare.size() + guarded.size()); // NORACE
}
