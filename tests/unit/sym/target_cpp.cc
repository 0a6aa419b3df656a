// Names inside namespaces and classes; speaks like target.c.
#include <cstdio>
#include <unistd.h>

namespace shop
{
struct Box {
	static int count;
	int items[4];
	int put(int n);
};

int Box::count;
Box boxes[3];

__attribute__((noinline)) int Box::put(int n)
{
	items[n & 3]++;
	return count += n;
}
}

int main()
{
	char c;
	int (*put)(shop::Box *, int);

	shop::boxes[1].put(2);
	// The function's address, through the pair of words that a pointer to a member is.
	auto member = &shop::Box::put;
	__builtin_memcpy(&put, &member, sizeof(put));
	printf("shop::Box::put %lx 0\n", (unsigned long)put);
	printf("shop::Box::count %lx 0\n", (unsigned long)&shop::Box::count);
	printf("shop::boxes[2].items[3] %lx 0\n", (unsigned long)&shop::boxes[2].items[3]);
	printf("end 0 0\n");
	fflush(stdout);
	return read(0, &c, 1) < 0;
}
