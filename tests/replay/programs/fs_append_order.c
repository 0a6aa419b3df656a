/* Three processes append to one file; who came when is decided by the scheduler. */
#include "t.h"

int main(void)
{
	char buf[4096];
	pid_t pids[3];
	ssize_t n;
	int fd;

	t_tmp();
	for (int i = 0; i < 3; i++) {
		pids[i] = TRY(fork());
		if (pids[i])
			continue;
		fd = TRY(open("log", O_WRONLY | O_APPEND | O_CREAT, 0600));
		for (int k = 0; k < 20; k++) {
			CHECK(dprintf(fd, "%c%d\n", 'a' + i, k) > 0);
			if (t_rand() & 1)
				t_sleep_us(t_rand_in(0, 200));
		}
		_exit(0);
	}
	for (int i = 0; i < 3; i++)
		CHECK(t_wait(pids[i]) == 0);
	fd = TRY(open("log", O_RDONLY));
	n = TRY(read(fd, buf, sizeof(buf)));
	say("%.*s", (int)n, buf);
	CHECK(n == 3 * (10 * 3 + 10 * 4));
	return 0;
}
