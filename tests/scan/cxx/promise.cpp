// A promise publishes what was written before set_value.
#include <future>
#include <thread>

static int detail, loose;

static void produce(std::promise<int> *p)
{
	detail = 5; // MISS NORACE
	p->set_value(1);
	loose = 6; // MISS RACE
}

int main()
{
	std::promise<int> p;
	auto f = p.get_future();
	std::thread t(produce, &p);
	int r = f.get();
	r += detail; // MISS NORACE
	r += loose; // MISS RACE
	t.join();
	return r;
}
