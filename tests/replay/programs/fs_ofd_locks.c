/* Open file description locks conflict between two opens of one process. */
#include "t.h"

int main(void)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 100};
	struct flock q = fl;
	int a, b, c;

	t_tmp();
	a = TRY(open("f", O_RDWR | O_CREAT, 0600));
	b = TRY(open("f", O_RDWR));
	TRY(fcntl(a, F_OFD_SETLK, &fl));
	CHECK(fcntl(b, F_OFD_SETLK, &fl) == -1 && errno == EAGAIN);
	TRY(fcntl(b, F_OFD_GETLK, &q));
	say("type %d pid %d len %ld\n", q.l_type, q.l_pid, q.l_len);
	CHECK(q.l_pid == -1 && q.l_type == F_WRLCK);
	c = TRY(dup(a));
	TRY(close(a));
	CHECK(fcntl(b, F_OFD_SETLK, &fl) == -1);
	TRY(close(c));
	TRY(fcntl(b, F_OFD_SETLKW, &fl));
	say("inherited by %d\n", getpid());
	return 0;
}
