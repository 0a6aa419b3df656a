/* cxx_string.cc, mended: assigning and reading hold the mutex.
 *
 * kind: none */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::string title = "short";
static std::mutex lock;

static void rename_it()
{
	std::lock_guard<std::mutex> guard(lock);
	title = "a title that needs memory of its own";
}

static void print()
{
	std::lock_guard<std::mutex> guard(lock);
	std::size_t size = title.size();
	char last = title.c_str()[size - 1];

	assert(last == 't' || last == 'n');
}

int main()
{
	std::thread one(print), two(rename_it);

	one.join();
	two.join();
	return 0;
}
