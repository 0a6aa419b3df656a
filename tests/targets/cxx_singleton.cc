/* A singleton with double-checked locking: the pointer is there before the constructor's work is
 * done.
 *
 * kind: data-race
 * harm: crash */
#include <mutex>
#include <string>
#include <thread>

struct Registry {
	const char *name = nullptr;

	void open()
	{
		name = "main";
	}
};

static std::mutex lock;
static Registry *instance;

static Registry &get()
{
	if (!instance) { /* BUG */
		std::lock_guard<std::mutex> guard(lock);
		if (!instance) {
			instance = new Registry; /* BUG */
			instance->open();        /* BUG */
		}
	}
	return *instance;
}

int main()
{
	std::size_t lengths[2] = {};
	std::thread one([&] { lengths[0] = std::string(get().name).size(); });
	std::thread two([&] { lengths[1] = std::string(get().name).size(); });

	one.join();
	two.join();
	return lengths[0] != lengths[1];
}
