/* Listeners are told of an event from a copy of the list.
 *
 * kind: none */
#include <cassert>
#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static std::map<int, std::function<void(int)>> listeners;
static int told[3];

static void fire(int event)
{
	std::map<int, std::function<void(int)>> copy;
	{
		std::unique_lock<std::shared_mutex> l(m);
		copy = listeners;
		listeners.erase(event);
	}

	for (auto it = copy.begin(); it != copy.end();) {
		it->second(event);
		++it;
	}
}

int main()
{
	for (int i = 0; i < 3; i++)
		listeners[i] = [i](int) { __atomic_fetch_add(&told[i], 1, __ATOMIC_RELAXED); };
	std::thread a(fire, 0), b(fire, 1);

	a.join();
	b.join();
	assert(listeners.size() == 1);
	return 0;
}
