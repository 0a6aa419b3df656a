// scoped_lock takes both without a fixed order, and without a deadlock.
#include <mutex>
#include <thread>

struct account {
	std::mutex lock;
	long money = 10;
};

static account x, y;

static void transfer(account &from, account &to, long n)
{
	std::scoped_lock both(from.lock, to.lock); // NODEADLOCK
	from.money -= n; // NORACE
	to.money += n; // NORACE
}

int main()
{
	std::thread a([] { transfer(x, y, 1); });
	std::thread b([] { transfer(y, x, 2); });
	a.join();
	b.join();
	return static_cast<int>(x.money + y.money); // NORACE
}
