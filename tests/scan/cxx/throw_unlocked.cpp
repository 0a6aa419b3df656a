// Through two functions: the guard of the function in between has given the lock back.
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
static int total;

static int parse(const char *s)
{
	if (!*s)
		throw std::runtime_error("empty");
	return *s - '0';
}

static int twice(const char *s)
{
	return 2 * parse(s);
}

static void add(const char *s)
{
	std::unique_lock<std::mutex> guard(m);
	total += twice(s); // NORACE
}

static void work(const char *s)
{
	try {
		add(s);
	} catch (const std::runtime_error &) {
		m.lock();  // NOMISUSE
		total = 0; // NORACE
		m.unlock();
	}
}

int main()
{
	std::thread a(work, ""), b(work, "7");
	a.join();
	b.join();
	return total; // NORACE
}
