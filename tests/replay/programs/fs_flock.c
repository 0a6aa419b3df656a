/* flock: the child waits until the parent lets go. */
#include "t.h"
#include <sys/file.h>

int main(void)
{
	uint64_t start = t_now_ns();
	int fd, p[2];
	pid_t pid;
	char c;

	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	TRY(flock(fd, LOCK_EX));
	TRY(pipe(p));
	pid = TRY(fork());
	if (!pid) {
		int mine = TRY(open("f", O_RDWR));

		CHECK(flock(mine, LOCK_SH | LOCK_NB) == -1 && errno == EWOULDBLOCK);
		CHECK(write(p[1], "x", 1) == 1);
		TRY(flock(mine, LOCK_EX));
		say("child has it after %lu ns\n", t_now_ns() - start);
		_exit(7);
	}
	CHECK(read(p[0], &c, 1) == 1);
	t_sleep_us(2000);
	say("parent lets go after %lu ns\n", t_now_ns() - start);
	TRY(flock(fd, LOCK_UN));
	CHECK(WEXITSTATUS(t_wait(pid)) == 7);
	return 0;
}
