/* epoll, edge triggered: one report per arrival, drained until EAGAIN. */
#include "t.h"
#include <sys/epoll.h>
#include <sys/socket.h>

int main(void)
{
	int ep = TRY(epoll_create1(0)), s[2], total = 0;
	struct epoll_event ev = {.events = EPOLLIN | EPOLLET | EPOLLRDHUP}, out;
	pid_t pid;

	TRY(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s));
	ev.data.fd = s[0];
	TRY(epoll_ctl(ep, EPOLL_CTL_ADD, s[0], &ev));
	pid = TRY(fork());
	if (!pid) {
		close(s[0]);
		for (int i = 0; i < 25; i++) {
			char buf[100] = {0};

			CHECK(write(s[1], buf, t_rand_in(1, 100)) > 0);
			t_sleep_us(t_rand_in(0, 300));
		}
		_exit(0);
	}
	TRY(close(s[1]));
	do {
		CHECK(epoll_wait(ep, &out, 1, -1) == 1);
		for (char buf[64];;) {
			ssize_t n = read(s[0], buf, sizeof(buf));

			say("events %x read %zd\n", out.events, n);
			if (n <= 0)
				break;
			total += (int)n;
		}
	} while (!(out.events & EPOLLRDHUP));
	say("total %d\n", total);
	CHECK(t_wait(pid) == 0 && total >= 25);
	return 0;
}
