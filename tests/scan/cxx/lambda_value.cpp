// Each thread gets a copy, and a cell of its own for the result.
#include <thread>

int main()
{
	int left = 0, right = 0, seed = 3;
	std::thread a([seed, &left] { left = seed * 2; });   // NORACE
	std::thread b([seed, &right] { right = seed * 3; }); // NORACE
	a.join();
	b.join();
	return left + right; // NORACE
}
