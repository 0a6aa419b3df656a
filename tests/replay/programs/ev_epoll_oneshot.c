/* EPOLLONESHOT, re-armed with EPOLL_CTL_MOD, and an epoll inside an epoll. */
#include "t.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>

int main(void)
{
	int inner = TRY(epoll_create1(0)), outer = TRY(epoll_create(1)), fd = TRY(eventfd(0, 0));
	struct epoll_event ev = {.events = EPOLLIN | EPOLLONESHOT, .data.u64 = t_rand()}, out;
	struct epoll_event nest = {.events = EPOLLIN, .data.u64 = t_rand()};
	uint64_t one = 1;

	TRY(epoll_ctl(inner, EPOLL_CTL_ADD, fd, &ev));
	TRY(epoll_ctl(outer, EPOLL_CTL_ADD, inner, &nest));
	CHECK(epoll_wait(outer, &out, 1, 0) == 0);
	CHECK(write(fd, &one, 8) == 8);
	CHECK(epoll_wait(outer, &out, 1, 1000) == 1 && out.data.u64 == nest.data.u64);
	say("outer %016lx\n", (unsigned long)out.data.u64);
	CHECK(epoll_wait(inner, &out, 1, 1000) == 1 && out.data.u64 == ev.data.u64);
	say("inner %016lx events %x\n", (unsigned long)out.data.u64, out.events);
	CHECK(epoll_wait(inner, &out, 1, 0) == 0);
	ev.data.u64 = t_rand();
	TRY(epoll_ctl(inner, EPOLL_CTL_MOD, fd, &ev));
	CHECK(epoll_wait(inner, &out, 1, 0) == 1 && out.data.u64 == ev.data.u64);
	say("again %016lx\n", (unsigned long)out.data.u64);
	CHECK(epoll_ctl(inner, EPOLL_CTL_DEL, 999, NULL) == -1 && errno == EBADF);
	return 0;
}
