// thread_local objects.
#include <thread>

static thread_local int depth;
static int deepest;

static void dive(int n)
{
	depth += n; // NORACE
	if (depth > deepest) // RACE
		deepest = depth; // RACE
}

int main()
{
	std::thread a(dive, 1), b(dive, 2);
	a.join();
	b.join();
	return deepest; // NORACE
}
