/* cxx_shared_ptr.cc, mended: the pointer is copied and replaced under a mutex.
 *
 * kind: none */
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct State {
	int value;
};

static std::shared_ptr<State> current = std::make_shared<State>(State{1});
static std::mutex lock;

static void replace()
{
	auto next = std::make_shared<State>(State{2});

	std::lock_guard<std::mutex> guard(lock);
	current.swap(next);
}

static void use()
{
	std::shared_ptr<State> copy;

	{
		std::lock_guard<std::mutex> guard(lock);
		copy = current;
	}
	assert(copy->value == 1 || copy->value == 2);
}

int main()
{
	std::thread one(use), two(replace);

	one.join();
	two.join();
	return 0;
}
