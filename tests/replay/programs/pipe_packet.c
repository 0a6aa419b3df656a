/* A pipe in packet mode keeps the borders of writes. */
#include "t.h"

int main(void)
{
	char buf[256];
	int p[2];
	ssize_t n;

	TRY(pipe2(p, O_DIRECT | O_NONBLOCK));
	for (int i = 0; i < 8; i++) {
		size_t len = t_rand_in(1, 200);

		memset(buf, 'a' + i, len);
		CHECK(write(p[1], buf, len) == (ssize_t)len);
	}
	for (int i = 0; i < 8; i++) {
		n = TRY(read(p[0], buf, sizeof(buf)));
		say("packet %c of %zd\n", buf[0], n);
		CHECK(buf[0] == 'a' + i);
	}
	CHECK(read(p[0], buf, sizeof(buf)) == -1 && errno == EAGAIN);
	return 0;
}
