/* std::lock() takes two locks in any order; nested guards do not. */
#include <mutex>
#include <thread>

struct Account {
	std::mutex m;
	long balance = 0;
};

static Account a, b, c, d;

static void transfer(Account &from, Account &to, long n)
{
	std::lock(from.m, to.m);                                 // NODEADLOCK
	std::lock_guard<std::mutex> g1(from.m, std::adopt_lock); // NODEADLOCK
	std::lock_guard<std::mutex> g2(to.m, std::adopt_lock);   // NODEADLOCK

	from.balance -= n; // NORACE
	to.balance += n;   // NORACE
}

static void there()
{
	std::lock_guard<std::mutex> g1(c.m);
	std::lock_guard<std::mutex> g2(d.m); // DEADLOCK

	c.balance--; // NORACE
	d.balance++; // NORACE
}

static void back()
{
	std::unique_lock<std::mutex> g1(d.m);
	std::unique_lock<std::mutex> g2(c.m); // DEADLOCK

	c.balance++; // NORACE
	d.balance--; // NORACE
}

int main()
{
	std::thread s([] {
		transfer(a, b, 1);
		there();
	});
	std::thread t([] {
		transfer(b, a, 1);
		back();
	});

	s.join();
	t.join();
	return 0;
}
