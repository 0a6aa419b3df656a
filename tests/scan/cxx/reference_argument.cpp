// std::ref passes by reference what std::thread would copy.
#include <functional>
#include <thread>

static void add(int &sum, int n)
{
	sum += n; // MISS RACE
}

int main()
{
	int sum = 0;
	std::thread a(add, std::ref(sum), 1);
	std::thread b(add, std::ref(sum), 2);
	a.join();
	b.join();
	return sum; // NORACE
}
