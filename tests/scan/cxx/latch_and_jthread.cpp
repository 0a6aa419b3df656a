// cflags: -std=c++20
/* A latch orders what is prepared with what follows; jthreads join themselves. */
#include <latch>
#include <thread>
#include <vector>

static int parts[4];
static int early;
static int total;

int main()
{
	std::latch ready(4);
	{
		std::vector<std::jthread> threads;

		for (int i = 0; i < 4; i++)
			threads.emplace_back([i, &ready] {
				parts[i] = i + 1; // NORACE
				if (i == 0)
					early = 1; // RACE
				ready.count_down();
			});
		total += early; // RACE
		ready.wait();
		for (int i = 0; i < 4; i++)
			total += parts[i]; // NORACE
	}
	return total + early; // NORACE
}
