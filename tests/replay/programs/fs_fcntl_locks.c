/* POSIX record locks: the child is refused, and told the parent's id and range. */
#include "t.h"

int main(void)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 10, .l_len = 20};
	pid_t pid;
	int fd;

	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	TRY(fcntl(fd, F_SETLK, &fl));
	pid = TRY(fork());
	if (!pid) {
		struct flock want = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 15};

		CHECK(fcntl(fd, F_SETLK, &want) == -1 && (errno == EAGAIN || errno == EACCES));
		TRY(fcntl(fd, F_GETLK, &want));
		say("held by %d: %ld+%ld type %d\n", want.l_pid, want.l_start, want.l_len,
			want.l_type);
		CHECK(want.l_pid == getppid());
		want = (struct flock){.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 5};
		TRY(fcntl(fd, F_SETLK, &want));
		_exit(0);
	}
	CHECK(t_wait(pid) == 0);
	fl.l_type = F_UNLCK;
	TRY(fcntl(fd, F_SETLK, &fl));
	return 0;
}
