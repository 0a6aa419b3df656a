// unique_lock: unlock, lock again, move, return from a function.
#include <mutex>
#include <thread>

class Store
{
	std::mutex m;
	int items = 0, dirty = 0;

	std::unique_lock<std::mutex> hold()
	{
		return std::unique_lock<std::mutex>(m);
	}

      public:
	void add()
	{
		auto l = hold();

		items++; // NORACE
		l.unlock();
		dirty++; // RACE
		l.lock();
		items++; // NORACE
	}
	int size()
	{
		std::unique_lock<std::mutex> l(m);

		return items; // NORACE
	}
};

int main()
{
	Store s;
	std::thread t([&] { s.add(); });

	s.add();
	t.join();
	return s.size() == 3;
}
