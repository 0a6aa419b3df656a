// Threads run member functions of one object.
#include <mutex>
#include <thread>

class Counter
{
      public:
	void run()
	{
		for (int i = 0; i < 10; i++) {
			{
				std::lock_guard<std::mutex> guard(lock_);
				safe_++; // NORACE
			}
			unsafe_++; // MISS RACE
		}
	}

	int total() const
	{
		return safe_ + unsafe_; // NORACE
	}

      private:
	std::mutex lock_;
	int safe_ = 0, unsafe_ = 0;
};

int main()
{
	Counter c;
	std::thread a(&Counter::run, &c), b(&Counter::run, &c);
	a.join();
	b.join();
	return c.total();
}
