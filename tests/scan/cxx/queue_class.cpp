// A blocking queue of pointers.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

struct Item {
	int n;
	int seen = 0;
};

class Queue
{
	std::mutex m;
	std::condition_variable cv;
	std::deque<Item *> items;

      public:
	int pushed = 0;

	void push(Item *i)
	{
		{
			std::lock_guard<std::mutex> g(m);
			items.push_back(i); // NORACE
		}
		pushed++; // RACE
		cv.notify_one();
	}
	Item *pop()
	{
		std::unique_lock<std::mutex> l(m);

		cv.wait(l, [this] { return !items.empty(); }); // NORACE
		Item *i = items.front();                       // MISS NORACE
		items.pop_front();                             // NORACE
		return i;
	}
	bool peek()
	{
		return items.empty(); // NORACE
	}
};

int main()
{
	Queue q;
	std::thread t([&q] {
		for (int k = 0; k < 3; k++) {
			Item *i = q.pop();

			i->seen = i->n; // NORACE
			delete i;
		}
		q.pushed = 0; // RACE
	});

	for (int k = 0; k < 3; k++)
		q.push(new Item{k});
	t.join();
	return q.peek(); // NORACE
}
