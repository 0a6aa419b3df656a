/* What is written before set_value() is there after get(). */
#include <future>
#include <string>
#include <thread>

struct answer {
	std::string text;
	int code;
	int retries;
};

static answer shared;

static void compute(std::promise<void> done)
{
	shared.text = "ready"; // NORACE
	shared.code = 7;       // NORACE
	done.set_value();
	shared.retries++; // RACE
}

int main()
{
	std::promise<void> p;
	std::future<void> f = p.get_future();
	std::thread t(compute, std::move(p));

	f.get();
	int code = shared.code; // NORACE

	code += (int)shared.text.size(); // NORACE
	code += shared.retries;          // RACE
	t.join();
	return code < 0;
}
