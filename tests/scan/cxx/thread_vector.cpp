// Threads in a vector, joined in a loop.
#include <thread>
#include <vector>

static int hits;
static int results[4];

static void work(int id)
{
	results[id] = id; // NORACE
	hits++; // RACE
}

int main()
{
	std::vector<std::thread> threads;
	int sum = 0;

	for (int i = 0; i < 4; i++)
		threads.emplace_back(work, i);
	for (auto &t : threads)
		t.join();
	for (int i = 0; i < 4; i++)
		sum += results[i]; // NORACE
	return sum + hits; // NORACE
}
