/* A shared std::string is assigned while another thread reads it: its length and its characters
 * are not of the same text.
 *
 * kind: data-race
 * harm: assertion, heap, crash */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static std::string title = "short";

static void rename_it()
{
	title = "a title that needs memory of its own"; /* BUG */
}

static void print()
{
	std::size_t size = title.size();     /* BUG */
	char last = title.c_str()[size - 1]; /* BUG */

	assert(last == 't' || last == 'n');
}

int main()
{
	std::thread one(print), two(rename_it);

	one.join();
	two.join();
	return 0;
}
