/* Threads that talk through descriptors. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #x), exit(1)))
static int there[2], back[2], pair[2], event;
static void *echo(void *p)
{
	char c;
	while (read(there[0], &c, 1) == 1)
		CHECK(write(back[1], &c, 1) == 1);
	return p;
}
static void *sender(void *p)
{
	CHECK(send(pair[0], "hello", 5, 0) == 5);
	eventfd_write(event, 1);
	return p;
}
int main(void)
{
	pthread_t t[2];
	char c, text[8];
	struct pollfd ready;
	struct epoll_event e = {.events = EPOLLIN};
	fd_set set;
	int ep = epoll_create1(0);
	CHECK(pipe(there) == 0 && pipe(back) == 0);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	event = eventfd(0, 0);
	epoll_ctl(ep, EPOLL_CTL_ADD, event, &e);
	pthread_create(&t[0], NULL, echo, NULL);
	pthread_create(&t[1], NULL, sender, NULL);
	for (int i = 0; i < 10; i++) {
		CHECK(write(there[1], &(char){(char)i}, 1) == 1);
		CHECK(read(back[0], &c, 1) == 1 && c == i);
	}
	ready = (struct pollfd){pair[1], POLLIN, 0};
	CHECK(poll(&ready, 1, -1) == 1 && ready.revents & POLLIN);
	FD_ZERO(&set);
	FD_SET(pair[1], &set);
	CHECK(select(pair[1] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(pair[1], &set));
	CHECK(recv(pair[1], text, sizeof(text), 0) == 5 && memcmp(text, "hello", 5) == 0);
	CHECK(epoll_wait(ep, &e, 1, -1) == 1);
	CHECK(poll(&ready, 1, 1000) == 0);
	close(there[1]);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
