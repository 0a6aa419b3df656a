// The thread calls a virtual method; every override may be the one.
#include <memory>
#include <thread>

static int total;

struct Task {
	virtual ~Task() = default;
	virtual void run() = 0;
};

struct Add : Task {
	void run() override
	{
		total++; // RACE
	}
};

struct Subtract : Task {
	void run() override
	{
		total--; // RACE
	}
};

static void work(Task *t)
{
	t->run();
}

int main()
{
	Add add;
	Subtract sub;
	std::thread a(work, &add), b(work, &sub);
	a.join();
	b.join();
	return total; // NORACE
}
