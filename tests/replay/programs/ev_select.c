/* select with read, write and exception sets; the time left is written back. */
#include "t.h"
#include <sys/select.h>

int main(void)
{
	struct timeval tv = {2, 0};
	fd_set r, w;
	int a[2], b[2];
	pid_t pid;

	TRY(pipe(a));
	TRY(pipe(b));
	pid = TRY(fork());
	if (!pid) {
		t_sleep_us(t_rand_in(500, 3000));
		CHECK(write(a[1], "x", 1) == 1);
		_exit(0);
	}
	FD_ZERO(&r);
	FD_ZERO(&w);
	FD_SET(a[0], &r);
	FD_SET(b[0], &r);
	CHECK(select(b[1] + 1, &r, NULL, NULL, &tv) == 1);
	CHECK(FD_ISSET(a[0], &r) && !FD_ISSET(b[0], &r));
	say("left %ld.%06ld\n", tv.tv_sec, tv.tv_usec);
	FD_SET(b[1], &w);
	CHECK(select(b[1] + 1, NULL, &w, NULL, NULL) == 1 && FD_ISSET(b[1], &w));
	tv = (struct timeval){0, 1500};
	FD_ZERO(&r);
	FD_SET(b[0], &r);
	CHECK(select(b[1] + 1, &r, NULL, NULL, &tv) == 0 && !FD_ISSET(b[0], &r));
	say("timed out, left %ld.%06ld\n", tv.tv_sec, tv.tv_usec);
	CHECK(t_wait(pid) == 0);
	return 0;
}
