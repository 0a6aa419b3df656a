// std::async: get() waits for the result.
#include <future>

static int steps;

static int compute(int n)
{
	steps = n; // NORACE
	return n * 2;
}

int main()
{
	auto f = std::async(std::launch::async, compute, 21);
	int r = f.get();

	return r + steps; // NORACE
}
