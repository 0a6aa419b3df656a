// The compiler guards the initialisation of a static local; its later use is not guarded.
#include <exception>
#include <thread>

struct Settings {
	int level;
	Settings() : level(3) // NORACE
	{
	}
};

static Settings &settings()
{
	static Settings s;
	return s;
}

static void reader()
{
	if (settings().level > 100) // RACE
		std::terminate();
}

static void writer()
{
	settings().level = 4; // RACE
}

int main()
{
	std::thread a(reader), b(writer);
	a.join();
	b.join();
	return settings().level; // NORACE
}
