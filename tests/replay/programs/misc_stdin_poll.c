/* Standard input by poll and single-byte reads. */
#include "t.h"
#include <poll.h>

int main(void)
{
	struct pollfd p = {.fd = 0, .events = POLLIN};
	uint64_t h = 0;
	int n = 0, waits = 0;
	char c;

	for (;;) {
		CHECK(poll(&p, 1, -1) == 1);
		waits++;
		if (TRY(read(0, &c, 1)) == 0)
			break;
		h = h * 31 + (unsigned char)c;
		n++;
	}
	say("%d bytes %d waits %016lx tty %d at %lu\n", n, waits, h, isatty(0), t_now_ns());
	return 0;
}
