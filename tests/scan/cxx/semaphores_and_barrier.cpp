// cflags: -std=c++20
/* C++20's semaphores as lock and as signal, and a barrier between two phases. */
#include <barrier>
#include <semaphore>
#include <thread>

static std::binary_semaphore lock(1), ready(0);
static int locked, sent, bare;
static int parts[2], sums[2];

static void add()
{
	lock.acquire();
	locked++; // NORACE
	lock.release();
	bare++; // RACE
}

int main()
{
	std::barrier<> phase(2);
	std::thread a([&] {
		sent = 1; // NORACE
		ready.release();
		add();
		parts[0] = 1; // NORACE
		phase.arrive_and_wait();
		sums[0] = parts[0] + parts[1]; // NORACE
	});
	std::thread b([&] {
		add();
		parts[1] = 2; // NORACE
		phase.arrive_and_wait();
		sums[1] = parts[0] + parts[1]; // NORACE
	});

	ready.acquire();
	int n = sent; // NORACE

	a.join();
	b.join();
	return n + locked + bare + sums[0] + sums[1]; // NORACE
}
