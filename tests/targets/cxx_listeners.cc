/* Listeners are told of an event under a shared lock; one that was told once takes itself off the
 * list, under the shared lock, too.
 *
 * kind: data-race
 * harm: heap, crash, assertion */
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
	std::shared_lock<std::shared_mutex> l(m); /* BUG */

	for (auto it = listeners.begin(); it != listeners.end();) {
		it->second(event);
		if (it->first == event)
			it = listeners.erase(it); /* BUG */
		else
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
