/* iostreams, string streams, chrono, a map with random keys. */
#include "t.h"
#include <chrono>
#include <iostream>
#include <map>
#include <sstream>

int main()
{
	std::map<uint64_t, int> m;
	std::ostringstream os;

	for (int i = 0; i < 50; i++)
		m[t_rand() % 1000] = i;
	for (const auto &kv : m)
		os << kv.first << '=' << kv.second << ' ';
	std::cout << os.str() << std::endl;
	std::cout << std::chrono::steady_clock::now().time_since_epoch().count() << '\n';
	std::cerr << "on the error stream " << getpid() << '\n';
	return 0;
}
