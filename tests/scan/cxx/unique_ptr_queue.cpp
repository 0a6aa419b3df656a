/* Tasks move through a queue of unique_ptr; a counter beside it is not protected. */
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

struct Task {
	int in = 0, out = 0;
};

class Queue
{
	std::mutex m_;
	std::condition_variable cv_;
	std::deque<std::unique_ptr<Task>> q_;

      public:
	void push(std::unique_ptr<Task> t)
	{
		{
			std::lock_guard<std::mutex> g(m_);
			q_.push_back(std::move(t)); // NORACE
		}
		cv_.notify_one();
	}

	std::unique_ptr<Task> pop()
	{
		std::unique_lock<std::mutex> g(m_);

		cv_.wait(g, [this] { return !q_.empty(); }); // NORACE
		auto t = std::move(q_.front());              // NORACE
		q_.pop_front();                              // NORACE
		return t;
	}
};

static Queue queue;
static int processed;

static void worker()
{
	for (;;) {
		auto t = queue.pop();

		if (t->in < 0) // NORACE
			return;
		t->out = t->in * 2; // MISS NORACE
		processed++;        // RACE
	}
}

int main()
{
	std::thread a(worker), b(worker);

	for (int i = 0; i < 10; i++) {
		auto t = std::make_unique<Task>();

		t->in = i; // NORACE
		queue.push(std::move(t));
	}
	for (int i = 0; i < 2; i++) {
		auto t = std::make_unique<Task>();

		t->in = -1; // NORACE
		queue.push(std::move(t));
	}
	a.join();
	b.join();
	return processed; // NORACE
}
