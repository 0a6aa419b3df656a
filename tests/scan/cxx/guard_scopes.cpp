// std::lock_guard ends with its block.
#include <mutex>
#include <thread>

static std::mutex m;
static int inside, outside;

static void step()
{
	{
		std::lock_guard<std::mutex> g(m);
		inside++; // NORACE
	}
	outside++; // RACE
}

int main()
{
	std::thread a(step), b(step);

	a.join();
	b.join();
	return inside + outside; // NORACE
}
