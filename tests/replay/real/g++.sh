#!/bin/sh
# g++ with the standard library's templates.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs g++
	cat >main.cc <<'END'
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>
int main()
{
	std::map<std::string, std::vector<int>> m;
	for (int i = 0; i < 100; i++)
		m[std::to_string(i % 7)].push_back(i);
	std::thread t([&] { std::cout << std::this_thread::get_id() << '\n'; });
	t.join();
	for (auto &kv : m)
		std::cout << kv.first << ' ' << kv.second.size() << '\n';
}
END
	;;
main) g++ -O1 -pthread -o prog main.cc && ./prog ;;
check) grep -q '^0 15' stdout ;;
esac
