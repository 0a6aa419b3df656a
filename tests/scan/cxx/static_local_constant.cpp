// A static local that nobody changes after its guarded initialisation.
#include <exception>
#include <thread>

struct Settings {
	int level;
	Settings() : level(3) // NORACE
	{
	}
};

static const Settings &settings()
{
	static Settings s;
	return s;
}

static void reader()
{
	if (settings().level > 100) // NORACE
		std::terminate();
}

int main()
{
	std::thread a(reader), b(reader);
	a.join();
	b.join();
	return settings().level; // NORACE
}
