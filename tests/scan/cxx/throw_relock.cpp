// Through two functions: the handler takes the lock that the exception has left locked.
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
	m.lock(); // MISUSE
	total += twice(s);
	m.unlock();
}

static void work(const char *s)
{
	try {
		add(s);
	} catch (const std::runtime_error &) {
		m.lock(); // MISUSE
		total = 0;
		m.unlock();
	}
}

int main()
{
	std::thread a(work, ""), b(work, "7");
	a.join();
	b.join();
	return total;
}
