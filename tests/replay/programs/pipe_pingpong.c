/* Two processes throw a growing number over two pipes, 200 times. */
#include "t.h"

int main(void)
{
	int a[2], b[2];
	uint64_t v = 0;
	pid_t pid;

	TRY(pipe(a));
	TRY(pipe(b));
	pid = TRY(fork());
	if (!pid) {
		for (int i = 0; i < 200; i++) {
			CHECK(read(a[0], &v, 8) == 8);
			v += t_rand() % 100;
			CHECK(write(b[1], &v, 8) == 8);
		}
		_exit(0);
	}
	for (int i = 0; i < 200; i++) {
		v += t_rand() % 100;
		CHECK(write(a[1], &v, 8) == 8);
		CHECK(read(b[0], &v, 8) == 8);
		if (i % 10 == 0)
			say("%d: %lu\n", i, v);
	}
	CHECK(t_wait(pid) == 0);
	return 0;
}
