/* cxx_lock_order.cc, mended: std::scoped_lock takes both without an order.
 *
 * kind: none */
#include <mutex>
#include <thread>
#include <utility>

struct Shelf {
	std::mutex lock;
	int books = 0;
};

static void swap_books(Shelf &a, Shelf &b)
{
	std::scoped_lock both(a.lock, b.lock);
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
