// A promise publishes what was written before set_value.
#include <future>
#include <thread>

static int detail, loose;

static void produce(std::promise<int> *p)
{
	detail = 5; // NORACE
	p->set_value(1);
	loose = 6; // RACE
}

int main()
{
	std::promise<int> p;
	auto f = p.get_future();
	std::thread t(produce, &p);
	int r = f.get();
	r += detail; // NORACE
	r += loose;  // RACE
	t.join();
	return r;
}
