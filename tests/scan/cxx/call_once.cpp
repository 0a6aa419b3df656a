// call_once for the set-up.
#include <mutex>
#include <thread>

static std::once_flag once;
static int table[4];
static int later;

static void set_up()
{
	for (int i = 0; i < 4; i++)
		table[i] = i; // NORACE
}

static int work()
{
	std::call_once(once, set_up);
	later++; // RACE
	return table[3]; // NORACE
}

int main()
{
	std::thread a(work), b(work);
	a.join();
	b.join();
	return later; // NORACE
}
