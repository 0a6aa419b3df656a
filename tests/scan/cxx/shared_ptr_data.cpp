// Two threads share an object through shared_ptr.
#include <memory>
#include <mutex>
#include <thread>

struct Session {
	std::mutex m;
	int bytes = 0;
	int packets = 0;
};

static void run(std::shared_ptr<Session> s)
{
	{
		std::scoped_lock l(s->m);
		s->bytes += 4; // NORACE
	}
	s->packets++; // RACE
}

int main()
{
	auto s = std::make_shared<Session>();
	std::thread a(run, s), b(run, s);

	a.join();
	b.join();
	return s->bytes + s->packets; // NORACE
}
