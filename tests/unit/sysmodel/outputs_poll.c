/* Waiting for descriptors, descriptors that carry events, and memory that is not there. */
#include "probe.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t new_time(long seconds, long nanoseconds)
{
	return NEW_STRUCT(struct timespec, seconds, nanoseconds);
}

static uint64_t new_set(int fd)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	return probe_put(&set, sizeof(set));
}

static void epoll(int readable)
{
	int64_t ep = OK(epoll_create1, 0);
	uint64_t events = probe_room(120), ev = NEW_STRUCT(struct epoll_event, .events = EPOLLIN);

	OK(epoll_ctl, ep, EPOLL_CTL_ADD, readable, ev);
	OK_BYTES(12, epoll_wait, ep, events, 10, 0);
	OK_BYTES(12, epoll_pwait, ep, events, 10, 0, 0, 8);
	CALL(epoll_pwait2, ep, events, 10, new_time(0, 0), 0, 8);
	OK(close, ep);
	OK(close, OK(epoll_create, 1));
}

void outputs_of_waiting(void **state)
{
	uint64_t fds, mask = probe_put(&(uint64_t){0}, 8);
	uint64_t pair = probe_put((uint64_t[2]){mask, 8}, 16);
	int p[2];

	assert_true(pipe(p) == 0 && write(p[1], "x", 1) == 1);
	fds = probe_put((struct pollfd[2]){{p[0], POLLIN, -1}, {p[1], POLLIN, -1}}, 16);
	OK_BYTES(16, poll, fds, 2, 0);
	OK_BYTES(16, poll, fds, 0xffff000000000002UL, 0);
	OK_BYTES(32, ppoll, fds, 2, new_time(1, 0), mask, 8);
	OK_BYTES(16, ppoll, fds, 2, 0, 0, 8);
	OK(select, p[1] + 1, new_set(p[0]), new_set(p[1]), 0, new_time(1, 0));
	OK(select, 1024, new_set(p[0]), new_set(p[1]), new_set(p[0]), 0);
	OK(pselect6, p[1] + 1, new_set(p[0]), 0, new_set(p[0]), new_time(1, 0), pair);
	assert_int_equal(CALL(select, (uint64_t)-1, new_set(p[0]), 0, 0, 0), -EINVAL);
	assert_int_equal(CALL(poll, fds, 0x7fffffff, 0), -EINVAL);
	assert_int_equal(probe_bytes(), 0);
	epoll(p[0]);
	close(p[0]);
	close(p[1]);
}

static void do_nothing(int sig)
{
}

/* A timer that keeps coming, so that no call can miss it. */
static void start_interrupting(void)
{
	struct sigaction sa = {.sa_handler = do_nothing};
	struct itimerval t = {{0, 20000}, {0, 20000}};

	assert_int_equal(sigaction(SIGALRM, &sa, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &t, NULL), 0);
}

static void stop_interrupting(void)
{
	struct itimerval t = {0};

	assert_int_equal(setitimer(ITIMER_REAL, &t, NULL), 0);
}

void outputs_of_interrupted_waiting(void **state)
{
	uint64_t fds;
	int p[2];

	assert_int_equal(pipe(p), 0);
	fds = probe_put((struct pollfd[1]){{p[0], POLLIN, -1}}, 8);
	start_interrupting();
	/* The kernel clears revents, and stores the time that is left. */
	assert_int_equal(CALL(poll, fds, 1, 5000), -EINTR);
	assert_int_equal(CALL(ppoll, fds, 1, new_time(5, 0), 0, 8), -EINTR);
	assert_int_equal(CALL(select, p[0] + 1, new_set(p[0]), 0, 0, new_time(5, 0)), -EINTR);
	assert_int_equal(CALL(pselect6, p[0] + 1, new_set(p[0]), 0, 0, new_time(5, 0), 0), -EINTR);
	assert_int_equal(CALL(nanosleep, new_time(5, 0), probe_room(16)), -EINTR);
	assert_int_equal(probe_bytes(), 16);
	assert_int_equal(
		CALL(clock_nanosleep, CLOCK_MONOTONIC, 0, new_time(5, 0), probe_room(16)), -EINTR);
	assert_int_equal(CALL(read, p[0], probe_room(10), 10), -EINTR);
	assert_int_equal(CALL(pause), -EINTR);
	assert_int_equal(CALL(rt_sigsuspend, probe_put(&(uint64_t){0}, 8), 8), -EINTR);
	stop_interrupting();
	close(p[0]);
	close(p[1]);
}

static void signal_descriptor(void)
{
	uint64_t set = probe_put(&(uint64_t){1UL << (SIGUSR1 - 1)}, 8);
	int64_t fd;
	sigset_t block, old;

	sigemptyset(&block);
	sigaddset(&block, SIGUSR1);
	sigprocmask(SIG_BLOCK, &block, &old);
	fd = OK(signalfd4, (uint64_t)-1, set, 8, 0);
	OK(kill, getpid(), SIGUSR1);
	OK_BYTES(sizeof(struct signalfd_siginfo), read, fd, probe_room(1000), 1000);
	OK(close, fd);
	OK(close, OK(signalfd, (uint64_t)-1, set, 8));
	sigprocmask(SIG_SETMASK, &old, NULL);
}

void outputs_of_event_descriptors(void **state)
{
	int64_t fd = OK(eventfd2, 5, EFD_NONBLOCK), watch;
	uint64_t buf = probe_room(400);

	OK_BYTES(8, read, fd, buf, 8);
	assert_int_equal(CALL(read, fd, buf, 8), -EAGAIN);
	OK(close, fd);
	OK(close, OK(eventfd, 0));
	fd = OK(timerfd_create, CLOCK_MONOTONIC, 0);
	OK_BYTES(32, timerfd_settime, fd, 0, probe_put((uint64_t[4]){0, 0, 0, 1}, 32),
		probe_room(32));
	OK_BYTES(8, read, fd, buf, 100);
	OK_BYTES(32, timerfd_gettime, fd, probe_room(32));
	OK(close, fd);
	fd = OK(inotify_init1, IN_NONBLOCK);
	watch = OK(inotify_add_watch, fd, probe_str("."), IN_CREATE);
	close(open("made", O_CREAT | O_WRONLY, 0600));
	assert_true(OK(read, fd, buf, 400) > 0);
	OK(inotify_rm_watch, fd, watch);
	OK(close, fd);
	OK(close, OK(inotify_init));
	signal_descriptor();
}

/* The kernel writes what fits before it meets the hole behind the pool. */
void outputs_of_bad_memory(void **state)
{
	uint64_t edge = probe_edge(100);
	struct iovec v[2] = {{probe_at(probe_room(50)), 50}, {probe_at(edge + 90), 500}};
	char data[400] = {0};
	int p[2];

	assert_int_equal(pipe(p), 0);
	assert_int_equal(write(p[1], data, sizeof(data)), sizeof(data));
	CALL(read, p[0], edge, 400);
	assert_int_equal(write(p[1], data, sizeof(data)), sizeof(data));
	CALL(readv, p[0], probe_put(v, sizeof(v)), 2);
	assert_int_equal(CALL(read, p[0], 16, 400), -EFAULT);
	assert_int_equal(CALL(getcwd, 16, 400), -EFAULT);
	assert_int_equal(CALL(uname, edge), -EFAULT);
	assert_int_equal(CALL(getrusage, 0, edge + 50), -EFAULT);
	assert_int_equal(CALL(clock_gettime, CLOCK_MONOTONIC, edge + 92), -EFAULT);
	assert_int_equal(CALL(poll, 16, 1, 0), -EFAULT);
	assert_int_equal(CALL(recvmsg, p[0], 16, 0), -ENOTSOCK);
	assert_int_equal(CALL(clone3, 16, 88), -EFAULT);
	assert_int_equal(CALL(waitid, 0, 0, 16, WEXITED | WNOHANG, 0), -EFAULT);
	CALL(getrandom, edge, 300, 0);
	close(p[0]);
	close(p[1]);
}
