/* Five writers share one pipe; the reader sees whole lines in an order nobody planned. */
#include "t.h"

int main(void)
{
	pid_t pids[5];
	char buf[512];
	int p[2], lines = 0;
	ssize_t n;

	TRY(pipe(p));
	for (int i = 0; i < 5; i++) {
		pids[i] = TRY(fork());
		if (pids[i])
			continue;
		for (int k = 0; k < 8; k++) {
			CHECK(dprintf(p[1], "%d.%d %lu\n", i, k, t_now_ns()) > 0);
			if (t_rand() % 2)
				sched_yield();
		}
		_exit(i);
	}
	TRY(close(p[1]));
	while ((n = TRY(read(p[0], buf, sizeof(buf)))) > 0) {
		for (ssize_t i = 0; i < n; i++)
			lines += buf[i] == '\n';
		CHECK(write(1, buf, (size_t)n) == n);
	}
	CHECK(lines == 40);
	for (int i = 0; i < 5; i++)
		CHECK(WEXITSTATUS(t_wait(pids[i])) == i);
	return 0;
}
