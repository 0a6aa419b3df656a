/* A member that is made once, and one that is checked by hand. */
#include <mutex>
#include <thread>
#include <vector>

class Tables
{
	std::once_flag once_;
	std::vector<int> *squares_ = nullptr;
	std::vector<int> *cubes_ = nullptr;

	void fill()
	{
		squares_ = new std::vector<int>(10, 1);
	} // NORACE

      public:
	int square(int n)
	{
		std::call_once(once_, &Tables::fill, this);
		return (*squares_)[n]; // NORACE
	}

	int cube(int n)
	{
		if (!cubes_)                                  // RACE
			cubes_ = new std::vector<int>(10, 2); // RACE
		return (*cubes_)[n];                          // RACE
	}
};

static Tables tables;

static void worker()
{
	for (int i = 0; i < 10; i++)
		if (tables.square(i) > tables.cube(i))
			return;
}

int main()
{
	std::thread a(worker), b(worker);

	a.join();
	b.join();
	return 0;
}
