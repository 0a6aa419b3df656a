/* getrandom and getentropy. */
#include "t.h"

int main(void)
{
	unsigned char buf[1000];

	for (size_t n = 1; n <= 1000; n *= 10) {
		CHECK(getrandom(buf, n, 0) == (ssize_t)n);
		say("%zu: %016lx\n", n, t_hash(buf, n));
	}
	CHECK(getrandom(buf, 8, GRND_NONBLOCK) == 8);
	say("%016lx\n", t_hash(buf, 8));
	TRY(getentropy(buf, 256));
	say("%016lx\n", t_hash(buf, 256));
	CHECK(getrandom(buf, 8, 0x8000) == -1 && errno == EINVAL);
	CHECK(getentropy(buf, 257) == -1 && errno == EIO);
	return 0;
}
