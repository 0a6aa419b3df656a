// The same with a lock that is given back before the exception goes on, and with handlers that
// lock.
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m, n;
static int kept, given, failures;

static void check(int v)
{
	if (v < 0)
		throw std::invalid_argument("negative");
}

static void by_hand(int v)
{
	n.lock();  // NOMISUSE
	kept += v; // NORACE
	try {
		check(v);
	} catch (...) {
		failures++; // NORACE
		n.unlock();
		throw;
	}
	n.unlock();
}

static void by_guard(int v)
{
	std::lock_guard<std::mutex> guard(m);
	given += v; // NORACE
	check(v);
}

static void work(int v)
{
	try {
		by_guard(v);
	} catch (const std::exception &) {
		std::lock_guard<std::mutex> guard(m);
		given--; // NORACE
	}
	try {
		by_hand(v);
	} catch (...) {
		std::lock_guard<std::mutex> guard(n);
		failures++; // NORACE
	}
}

int main()
{
	std::thread a(work, -1), b(work, 2);
	a.join();
	b.join();
	return kept + given + failures; // NORACE
}
