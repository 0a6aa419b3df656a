/* Parent and child write through one open file: its offset is shared. */
#include "t.h"

int main(void)
{
	char buf[4096];
	ssize_t n;
	pid_t pid;
	int fd;

	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	pid = TRY(fork());
	for (int i = 0; i < 30; i++) {
		CHECK(write(fd, pid ? "P" : "c", 1) == 1);
		if (t_rand() % 4 == 0)
			sched_yield();
	}
	if (!pid)
		_exit(0);
	CHECK(t_wait(pid) == 0);
	CHECK(lseek(fd, 0, SEEK_CUR) == 60);
	n = pread(fd, buf, sizeof(buf), 0);
	CHECK(n == 60);
	say("%.60s\n", buf);
	return 0;
}
