// A lambda captures a local of main by reference; two threads run it.
#include <thread>

int main()
{
	int sum = 0;
	auto add = [&sum] { sum++; }; // RACE
	std::thread a(add), b(add);
	a.join();
	b.join();
	return sum; // NORACE
}
