/* A class around a mutex, as clang's documentation has it: what the attributes name is the class,
 * what is held is the mutex in it. */
// norun
#include <mutex>

#ifdef __clang__
#define SAYS(...) __attribute__((__VA_ARGS__))
#else
#define SAYS(...)
#endif

class SAYS(capability("mutex")) Mutex {
public:
	void lock() SAYS(acquire_capability()) { m_.lock(); }
	void unlock() SAYS(release_capability()) { m_.unlock(); }

private:
	std::mutex m_;
};

class SAYS(scoped_lockable) Locker {
public:
	explicit Locker(Mutex *mu) SAYS(acquire_capability(mu)) : mu_(mu) { mu->lock(); }
	~Locker() SAYS(release_capability()) { mu_->unlock(); }

private:
	Mutex *mu_;
};

class Account {
public:
	void deposit(int n)
	{
		Locker l(&mu_);
		add(n); // NOMISUSE
	}
	void bonus()
	{
		add(1); // MISUSE
	}
	int peek()
	{
		return balance_; // RACE
	}

private:
	void add(int n) SAYS(requires_capability(mu_))
	{
		balance_ += n; // RACE
	}

	Mutex mu_;
	int balance_ SAYS(guarded_by(mu_)) = 0;
};

void use(Account *a, int n)
{
	a->deposit(n);
	a->bonus();
	a->peek();
}
