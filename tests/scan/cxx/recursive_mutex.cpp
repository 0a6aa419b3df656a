// A recursive mutex over two public methods that call each other.
#include <mutex>
#include <thread>

class Ledger
{
      public:
	void add(int n)
	{
		std::lock_guard<std::recursive_mutex> guard(m_); // NOMISUSE
		sum_ += n; // NORACE
	}
	void add_twice(int n)
	{
		std::lock_guard<std::recursive_mutex> guard(m_);
		add(n);
		add(n);
		calls_++; // NORACE
	}
	int sum_ = 0, calls_ = 0;

      private:
	std::recursive_mutex m_;
};

static Ledger ledger;

int main()
{
	std::thread a([] { ledger.add_twice(1); });
	std::thread b([] { ledger.add(2); });
	a.join();
	b.join();
	return ledger.sum_ + ledger.calls_; // NORACE
}
