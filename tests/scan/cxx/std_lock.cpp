// std::lock first, guards that adopt afterwards.
#include <mutex>
#include <thread>

static std::mutex a, b;
static int n;

static void forward()
{
	std::lock(a, b); // NODEADLOCK
	std::lock_guard<std::mutex> first(a, std::adopt_lock);
	std::lock_guard<std::mutex> second(b, std::adopt_lock); // NODEADLOCK
	n++; // NORACE
}

static void backward()
{
	std::lock(b, a); // NODEADLOCK
	std::lock_guard<std::mutex> first(b, std::adopt_lock);
	std::lock_guard<std::mutex> second(a, std::adopt_lock); // NODEADLOCK
	n--; // NORACE
}

int main()
{
	std::thread s(forward), t(backward);
	s.join();
	t.join();
	return n; // NORACE
}
