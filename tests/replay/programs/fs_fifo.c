/* A named pipe between two processes; opening blocks until the other side comes. */
#include "t.h"

int main(void)
{
	char buf[64];
	ssize_t n;
	pid_t pid;
	int fd;

	t_tmp();
	TRY(mkfifo("p", 0600));
	CHECK(open("p", O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO);
	pid = TRY(fork());
	if (!pid) {
		fd = TRY(open("p", O_WRONLY));
		CHECK(dprintf(fd, "from %d at %lu\n", getpid(), t_now_ns()) > 0);
		_exit(3);
	}
	fd = TRY(open("p", O_RDONLY));
	while ((n = TRY(read(fd, buf, sizeof(buf)))) > 0)
		CHECK(write(1, buf, (size_t)n) == n);
	CHECK(WEXITSTATUS(t_wait(pid)) == 3);
	return 0;
}
