// Two lock_guards in opposite orders.
#include <mutex>
#include <thread>

static std::mutex a, b;
static int n;

static void forward()
{
	std::lock_guard<std::mutex> first(a);
	std::lock_guard<std::mutex> second(b); // DEADLOCK
	n++; // NORACE
}

static void backward()
{
	std::lock_guard<std::mutex> first(b);
	std::lock_guard<std::mutex> second(a); // DEADLOCK
	n--; // NORACE
}

int main()
{
	std::thread s(forward), t(backward);
	s.join();
	t.join();
	return n;
}
