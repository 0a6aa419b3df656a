// lock, try_lock and unlock without a guard.
#include <mutex>
#include <thread>

static std::mutex m;
static int inside, tried, outside;

static void work()
{
	m.lock();
	inside++; // NORACE
	m.unlock();
	if (m.try_lock()) {
		tried++; // NORACE
		m.unlock();
	} else {
		outside++; // RACE
	}
}

int main()
{
	std::thread a(work), b(work);
	a.join();
	b.join();
	return inside + tried + outside; // NORACE
}
