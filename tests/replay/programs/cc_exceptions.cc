/* C++ exceptions through many frames and threads' boundaries. */
#include "t.h"
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

static int dive(int n)
{
	struct guard {
		int n;
		~guard()
		{
			if (n == 3)
				say("unwinding 3 at %lu\n", t_now_ns());
		}
	} g{n};

	if (n == 0)
		throw std::runtime_error("bottom " + std::to_string(t_rand() % 1000));
	return dive(n - 1) + 1;
}

int main()
{
	std::exception_ptr carried;

	for (int i = 0; i < 10; i++) {
		try {
			dive(static_cast<int>(t_rand_in(1, 30)));
		} catch (const std::runtime_error &e) {
			say("caught %s\n", e.what());
		}
	}
	std::thread([&] {
		try {
			dive(5);
		} catch (...) {
			carried = std::current_exception();
		}
	}).join();
	try {
		std::rethrow_exception(carried);
	} catch (const std::exception &e) {
		say("carried %s\n", e.what());
	}
	return 0;
}
