// Each thread has an object of its own.
#include <thread>

class Counter
{
      public:
	void run()
	{
		for (int i = 0; i < 10; i++)
			n_++; // NORACE
	}

	int total() const
	{
		return n_; // NORACE
	}

      private:
	int n_ = 0;
};

int main()
{
	Counter c, d;
	std::thread a(&Counter::run, &c), b(&Counter::run, &d);
	a.join();
	b.join();
	return c.total() + d.total();
}
