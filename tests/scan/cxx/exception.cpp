// An exception leaves the section: by hand the lock stays held, with a guard it does not.
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
static int safe, caught;

static void risky(int n)
{
	std::lock_guard<std::mutex> guard(m);
	if (n < 0)
		throw std::runtime_error("negative");
	safe += n; // NORACE
}

static void work(int n)
{
	try {
		risky(n);
	} catch (const std::exception &) {
		caught++; // RACE
	}
}

int main()
{
	std::thread a(work, -1), b(work, -2);
	a.join();
	b.join();
	return safe + caught; // NORACE
}
