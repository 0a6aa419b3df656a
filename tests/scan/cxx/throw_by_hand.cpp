// An exception out of a function of the program leaves a section: what was locked by hand stays
// locked, what a guard holds does not.
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
	n.lock(); // MISUSE
	kept += v;
	check(v);
	n.unlock();
}

static void by_guard(int v)
{
	std::lock_guard<std::mutex> guard(m);
	given += v; // RACE
	check(v);
}

static void work(int v)
{
	try {
		by_guard(v);
	} catch (const std::exception &) {
		given--; // RACE
	}
	try {
		by_hand(v);
	} catch (...) {
		failures++; // NORACE
	}
}

int main()
{
	std::thread a(work, -1), b(work, 2);
	a.join();
	b.join();
	return kept + given + failures;
}
