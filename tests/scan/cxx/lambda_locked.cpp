// Lambda with a captured mutex.
#include <mutex>
#include <thread>

int main()
{
	std::mutex m;
	int sum = 0;
	auto add = [&] {
		std::lock_guard<std::mutex> guard(m); // NORACE
		sum++;                                // NORACE
	};
	std::thread a(add), b(add);
	a.join();
	b.join();
	return sum; // NORACE
}
