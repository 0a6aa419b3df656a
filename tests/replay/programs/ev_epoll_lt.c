/* epoll, level triggered, over four pipes fed by a child in random order. */
#include "t.h"
#include <sys/epoll.h>

int main(void)
{
	int ep = TRY(epoll_create1(EPOLL_CLOEXEC)), p[4][2], open_ends = 4;
	struct epoll_event ev, out[3];
	pid_t pid;

	for (int i = 0; i < 4; i++) {
		TRY(pipe(p[i]));
		ev = (struct epoll_event){.events = EPOLLIN, .data.u32 = (uint32_t)i};
		TRY(epoll_ctl(ep, EPOLL_CTL_ADD, p[i][0], &ev));
	}
	CHECK(epoll_ctl(ep, EPOLL_CTL_ADD, p[0][0], &ev) == -1 && errno == EEXIST);
	CHECK(epoll_wait(ep, out, 3, 0) == 0);
	pid = TRY(fork());
	if (!pid) {
		for (int i = 0; i < 40; i++) {
			char c = (char)('a' + i % 26);

			CHECK(write(p[t_rand() % 4][1], &c, 1) == 1);
			if (i % 5 == 0)
				t_sleep_us(100);
		}
		_exit(0);
	}
	for (int i = 0; i < 4; i++)
		TRY(close(p[i][1]));
	while (open_ends) {
		int n = TRY(epoll_wait(ep, out, 3, -1));

		for (int i = 0; i < n; i++) {
			int k = (int)out[i].data.u32;
			char buf[16];
			ssize_t got = TRY(read(p[k][0], buf, sizeof(buf)));

			say("pipe %d events %x: %.*s\n", k, out[i].events, (int)got, buf);
			if (!got) {
				TRY(epoll_ctl(ep, EPOLL_CTL_DEL, p[k][0], NULL));
				open_ends--;
			}
		}
	}
	CHECK(t_wait(pid) == 0);
	return 0;
}
