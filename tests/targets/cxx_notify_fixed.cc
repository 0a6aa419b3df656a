/* cxx_notify.cc, mended: the wait has a predicate.
 *
 * kind: none */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool ready;

static void prepare(int *result)
{
	for (int i = 0; i < 20000; i++)
		*result += i % 3;
	std::lock_guard<std::mutex> guard(lock);
	ready = true;
	changed.notify_one();
}

int main()
{
	int result = 0;
	std::thread worker(prepare, &result);

	{
		std::unique_lock<std::mutex> guard(lock);
		changed.wait(guard, [] { return ready; });
	}
	worker.join();
	return result == 0;
}
