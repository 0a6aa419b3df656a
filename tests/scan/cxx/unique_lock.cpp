// unique_lock that is unlocked and locked again by hand.
#include <mutex>
#include <thread>

static std::mutex m;
static int first, between, last;

static void work()
{
	std::unique_lock<std::mutex> lock(m);
	first++; // NORACE
	lock.unlock();
	between++; // RACE
	lock.lock();
	last++; // NORACE
}

int main()
{
	std::thread a(work), b(work);
	a.join();
	b.join();
	return first + between + last; // NORACE
}
