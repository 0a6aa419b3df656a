/* cxx_singleton.cc, mended: a function-local static, which the compiler guards.
 *
 * kind: none */
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

static Registry &get()
{
	static Registry instance = [] {
		Registry r;
		r.open();
		return r;
	}();
	return instance;
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
