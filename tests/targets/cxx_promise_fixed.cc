/* Two sources answer one question; the first wins, which an exchange decides.
 *
 * kind: none */
#include <atomic>
#include <future>
#include <thread>

static std::promise<int> answer;
static std::atomic<bool> answered{false};

static void source(int value)
{
	if (!answered.exchange(true))
		answer.set_value(value);
}

int main()
{
	auto result = answer.get_future();
	std::thread slow(source, 1), quick(source, 2);
	int got = result.get();

	slow.join();
	quick.join();
	return got == 1 || got == 2 ? 0 : 1;
}
