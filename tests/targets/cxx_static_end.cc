/* A detached thread counts in a global vector; when main returns, the vector is destroyed while the
 * thread may still be at work.
 *
 * kind: order-violation
 * harm: heap, crash */
#include <chrono>
#include <thread>
#include <vector>

static std::vector<int> counts(4);

static void listener()
{
	for (int &n : counts)
		n++; /* BUG */
}

int main()
{
	std::thread(listener).detach();
	std::this_thread::sleep_for(std::chrono::milliseconds(20)); /* BUG */
	return 0;
}
