/* Two objects are swapped under both of their mutexes, and the order of the arguments is the
 * order of the locks.
 *
 * kind: deadlock
 * harm: deadlock */
#include <mutex>
#include <thread>
#include <utility>

struct Shelf {
	std::mutex lock;
	int books = 0;
};

static void swap_books(Shelf &a, Shelf &b)
{
	std::lock_guard<std::mutex> first(a.lock);
	std::lock_guard<std::mutex> second(b.lock); /* BUG */
	std::swap(a.books, b.books);
}

int main()
{
	Shelf left, right;
	std::thread one([&] { swap_books(left, right); });
	std::thread two([&] { swap_books(right, left); });

	one.join();
	two.join();
	return left.books + right.books;
}
