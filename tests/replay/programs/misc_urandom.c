/* /dev/urandom and /dev/random in several sizes. */
#include "t.h"

int main(void)
{
	static unsigned char buf[100000];
	int u = TRY(open("/dev/urandom", O_RDONLY)), r = TRY(open("/dev/random", O_RDONLY));

	for (size_t n = 1; n <= sizeof(buf); n *= 10) {
		CHECK(read(u, buf, n) == (ssize_t)n);
		say("%zu: %016lx\n", n, t_hash(buf, n));
	}
	CHECK(read(r, buf, 16) > 0);
	say("random %016lx\n", t_hash(buf, 16));
	return 0;
}
