/* The count of a shared_ptr is safe, the pointer itself is not: one thread replaces it while
 * another copies it.
 *
 * kind: data-race
 * harm: heap, crash, assertion, abort */
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct State {
	int value;
};

static std::shared_ptr<State> current = std::make_shared<State>(State{1});

static void replace()
{
	auto next = std::make_shared<State>(State{2});

	current = next; /* BUG */
}

static void use()
{
	auto copy = current; /* BUG */

	assert(copy->value == 1 || copy->value == 2);
}

int main()
{
	std::thread one(use), two(replace);

	one.join();
	two.join();
	return 0;
}
