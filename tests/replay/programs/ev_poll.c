/* poll: ready, hung up, invalid, timed out. */
#include "t.h"
#include <poll.h>

int main(void)
{
	struct pollfd p[4];
	int a[2], b[2];
	pid_t pid;
	uint64_t t;

	TRY(pipe(a));
	TRY(pipe(b));
	pid = TRY(fork());
	if (!pid) {
		close(a[0]);
		t_sleep_us(t_rand_in(300, 2000));
		CHECK(write(a[1], "x", 1) == 1);
		_exit(0);
	}
	TRY(close(a[1]));
	p[0] = (struct pollfd){.fd = a[0], .events = POLLIN};
	p[1] = (struct pollfd){.fd = b[1], .events = POLLOUT};
	p[2] = (struct pollfd){.fd = -1, .events = POLLIN};
	p[3] = (struct pollfd){.fd = 700, .events = POLLIN};
	CHECK(poll(p, 4, 0) >= 2);
	CHECK(p[1].revents == POLLOUT && p[2].revents == 0 && p[3].revents == POLLNVAL);
	CHECK(poll(p, 1, -1) == 1);
	say("revents %x\n", p[0].revents);
	CHECK(t_wait(pid) == 0);
	CHECK(poll(p, 1, -1) == 1 && p[0].revents == (POLLIN | POLLHUP));
	t = t_now_ns();
	CHECK(poll(&p[2], 1, 2) == 0);
	say("slept %lu ns\n", t_now_ns() - t);
	return 0;
}
