/* A pipe from child to parent, read in pieces until its end. */
#include "t.h"

int main(void)
{
	char buf[100];
	int p[2], total = 0;
	ssize_t n;
	pid_t pid;

	TRY(pipe2(p, O_CLOEXEC));
	pid = TRY(fork());
	if (!pid) {
		for (int i = 0; i < 30; i++) {
			CHECK(write(p[1], "0123456789abcdefghij", t_rand_in(1, 20)) > 0);
			if (i % 3 == 0)
				t_sleep_us(50);
		}
		_exit(0);
	}
	TRY(close(p[1]));
	while ((n = TRY(read(p[0], buf, sizeof(buf)))) > 0) {
		say("%zd: %.*s\n", n, (int)n, buf);
		total += (int)n;
	}
	say("total %d from %d\n", total, pid);
	CHECK(t_wait(pid) == 0);
	return 0;
}
