// unique_lock that begins unlocked, and one that only tries.
#include <mutex>
#include <thread>

static std::mutex m;
static int early, late, tried, refused;

static void work()
{
	std::unique_lock<std::mutex> lock(m, std::defer_lock);
	early++; // RACE
	lock.lock();
	late++; // NORACE
	lock.unlock();

	std::unique_lock<std::mutex> attempt(m, std::try_to_lock);
	if (attempt.owns_lock())
		tried++; // NORACE
	else
		refused++; // RACE
}

int main()
{
	std::thread a(work), b(work);
	a.join();
	b.join();
	return early + late + tried + refused; // NORACE
}
