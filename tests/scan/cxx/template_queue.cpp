// A queue template with its lock inside; size() forgets it.
#include <mutex>
#include <thread>

template <typename T> class Queue
{
      public:
	void push(T v)
	{
		std::lock_guard<std::mutex> guard(m_);
		if (n_ < 8) // NORACE
			items_[n_++] = v; // RACE
	}
	bool pop(T &v)
	{
		std::lock_guard<std::mutex> guard(m_);
		if (n_ == 0) // NORACE
			return false;
		v = items_[--n_]; // RACE
		return true;
	}
	int size() const
	{
		return n_; // RACE
	}

      private:
	std::mutex m_;
	T items_[8];
	int n_ = 0;
};

static Queue<long> queue;

int main()
{
	std::thread a([] { queue.push(1); });
	std::thread b([] {
		long v;
		queue.pop(v);
	});
	int n = queue.size();
	a.join();
	b.join();
	return n;
}
