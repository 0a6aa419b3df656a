// lock_guard: held to the end of its scope, not beyond.
#include <mutex>
#include <thread>

static std::mutex m;
static int inside, outside;

static void work()
{
	{
		std::lock_guard<std::mutex> guard(m);
		inside++; // NORACE
	}
	outside++; // RACE
}

int main()
{
	std::thread a(work), b(work);
	a.join();
	b.join();
	return inside + outside; // NORACE
}
