/* The buffer's code, run in this very process: the landing area is mapped and filled as a recorder
 * does it, calls in a page of our own are patched, and what the code writes to the ring is looked
 * at.  A call that it leaves alone is simply made by its trampoline. */
#include "../unit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "proc/husk_code.h"
#include "proc/patch.h"
#include "proc/tracee.h"
#include "trace/event.h"
#include "wire/buffer.h"

static struct dh_buffer_area *const area = (struct dh_buffer_area *)DH_LANDING_AREA;

/* call(nr, arguments) in each of the two forms: the wrapper moves what it is given to where a
 * system call wants it; the call itself is patched. */
typedef long call_fn(long nr, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4);
static call_fn *call, *call_getpid;

static const uint8_t compare_form[] = {
	0x48, 0x89, 0xf8,                                                 /* mov rax, rdi */
	0x48, 0x89, 0xf7, 0x48, 0x89, 0xd6, 0x48, 0x89, 0xca,             /* rdi, rsi, rdx */
	0x4d, 0x89, 0xc2, 0x4d, 0x89, 0xc8, 0x45, 0x31, 0xc9,             /* r10, r8, r9 */
	0x0f, 0x05, 0x48, 0x3d, 0x00, 0xf0, 0xff, 0xff, 0xc3, 0x90, 0x90, /* call; compare; ret */
};
#define COMPARE_CALL_END 23

static const uint8_t number_form[] = {
	0xb8, SYS_getpid, 0, 0, 0, 0x0f, 0x05, 0xc3, 0x90, 0x90, 0x90, 0x90};

static void patch(uint8_t *page, size_t call_end, int64_t nr, uint32_t index)
{
	struct dh_patch_code code = {.bytes = page, .n = 4096, .start = (uint64_t)(uintptr_t)page};
	struct dh_tracee self;
	struct dh_patch p;

	dh_tracee_init(&self, getpid());
	assert_int_equal(dh_patch_examine(&code, code.start + call_end, nr, &p), 0);
	p.index = index;
	assert_int_equal(dh_patch_apply(&self, &p), 0);
	assert_true(dh_patch_is_applied(&self, &p));
	assert_int_equal(dh_patch_apply(&self, &p), -EILSEQ);
	dh_tracee_release(&self);
}

static int set_up(void **state)
{
	uint8_t *code = mmap((void *)DH_LANDING_START, DH_LANDING_END - DH_LANDING_START,
		PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	uint8_t *page = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	if ((uintptr_t)code != DH_LANDING_START || page == MAP_FAILED)
		return -1;
	memcpy(code, dh_husk_code, dh_husk_code_size);
	memset(page, 0x90, 4096);
	memcpy(page + 256, compare_form, sizeof(compare_form));
	memcpy(page + 512, number_form, sizeof(number_form));
	patch(page, 256 + COMPARE_CALL_END, 0, 0);
	patch(page, 512 + 7, SYS_getpid, 1);
	call = (call_fn *)(uintptr_t)(page + 256);
	call_getpid = (call_fn *)(uintptr_t)(page + 512);
	return 0;
}

static int begin(void **state)
{
	(void)state;
	memset(area, 0, sizeof(*area));
	area->mode = DH_BUFFER_RECORD;
	area->own_files = 1;
	return 0;
}

/* The records so far, counted; *ret is the last one. */
static int records(struct dh_ev_buffered *ret)
{
	const uint8_t *at = (const uint8_t *)DH_AREA_RING;
	int n = 0, r;

	while ((r = dh_ev_next_buffered(&at, (const uint8_t *)DH_AREA_RING + area->head, ret)) > 0)
		n++;
	assert_int_equal(r, 0);
	return n;
}

#define A(x) ((uint64_t)(uintptr_t)(x))

static void plain_calls(void **state)
{
	struct dh_ev_buffered r;
	struct dh_ev_buffered_out o;
	struct timespec ts = {0};

	(void)state;
	assert_int_equal(call_getpid(0, 0, 0, 0, 0, 0), getpid());
	assert_int_equal(records(&r), 1);
	assert_int_equal(r.nr, SYS_getpid);
	assert_int_equal(r.result, getpid());
	assert_int_equal(call(SYS_clock_gettime, CLOCK_MONOTONIC, A(&ts), 0, 0, 0), 0);
	assert_int_equal(records(&r), 2);
	assert_int_equal(r.nr, SYS_clock_gettime);
	assert_int_equal(dh_ev_next_buffered_out(&r, &o), 1);
	assert_int_equal(o.arg, 1);
	assert_int_equal(o.len, sizeof(ts));
	assert_memory_equal(o.data, &ts, sizeof(ts));
	assert_true(ts.tv_sec > 0);
	/* errors are results too; what has no row is left alone */
	assert_int_equal(call(SYS_clock_gettime, 12345, A(&ts), 0, 0, 0), -EINVAL);
	assert_int_equal(records(&r), 3);
	assert_int_equal(r.result, -EINVAL);
	assert_int_equal(call(SYS_sched_yield, 0, 0, 0, 0, 0), 0);
	assert_int_equal(records(&r), 3);
	assert_int_equal(area->calls, 3);
}

static void off_and_yield(void **state)
{
	struct dh_ev_buffered r;

	(void)state;
	area->yield = 1;
	assert_int_equal(call_getpid(0, 0, 0, 0, 0, 0), getpid());
	area->yield = 0;
	area->mode = DH_BUFFER_OFF;
	assert_int_equal(call_getpid(0, 0, 0, 0, 0, 0), getpid());
	assert_int_equal(records(&r), 0);
}

static void replay_answers_from_the_ring(void **state)
{
	struct timespec then, now = {0};
	struct dh_buffer_record *r = (struct dh_buffer_record *)DH_AREA_RING;

	(void)state;
	call(SYS_clock_gettime, CLOCK_REALTIME, A(&now), 0, 0, 0);
	then = now;
	call_getpid(0, 0, 0, 0, 0, 0);
	((struct dh_buffer_record *)(DH_AREA_RING + dh_buffer_size(r)))->result = 4242;
	area->mode = DH_BUFFER_REPLAY;
	now.tv_sec = 0;
	assert_int_equal(call(SYS_clock_gettime, CLOCK_REALTIME, A(&now), 0, 0, 0), 0);
	assert_memory_equal(&now, &then, sizeof(now));
	assert_int_equal(area->tail, dh_buffer_size(r));
	assert_int_equal(call_getpid(0, 0, 0, 0, 0, 0), 4242);
	assert_int_equal(area->tail, area->head);
	/* behind the last record calls are made as in the recording */
	assert_int_equal(call_getpid(0, 0, 0, 0, 0, 0), getpid());
	assert_int_equal(area->calls, 4);
}

static void replay_notices_other_calls(void **state)
{
	struct timespec ts;

	(void)state;
	call(SYS_clock_gettime, CLOCK_REALTIME, A(&ts), 0, 0, 0);
	area->mode = DH_BUFFER_REPLAY;
	area->expected = 0;
	call(SYS_clock_gettime, CLOCK_MONOTONIC, A(&ts), 0, 0, 0);
	assert_int_equal(area->expected, SYS_clock_gettime | DH_BUFFER_OTHER_ARGUMENTS);
	area->tail = 0;
	area->expected = 0;
	call(SYS_clock_getres, CLOCK_REALTIME, A(&ts), 0, 0, 0);
	assert_int_equal(area->expected, SYS_clock_gettime);
}

/* The names and the bytes that a call passes count, in all three shapes. */
static void replay_notices_other_data(void **state)
{
	char name[] = "/nowhere/at/all", text[100];
	struct iovec iov[2] = {{text, 40}, {text + 40, 60}};
	int pair[2];

	(void)state;
	memset(text, 'a', sizeof(text));
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	area->fd[pair[0]] = DH_BUFFER_FD_SOCKET;
	assert_int_equal(call(SYS_access, A(name), F_OK, 0, 0, 0), -ENOENT);
	assert_int_equal(call(SYS_write, (uint64_t)pair[0], A(text), 100, 0, 0), 100);
	assert_int_equal(call(SYS_writev, (uint64_t)pair[0], A(iov), 2, 0, 0), 100);
	area->mode = DH_BUFFER_REPLAY;
	for (int changed = 0; changed < 2; changed++) {
		area->tail = 0;
		area->expected = 0;
		name[3] ^= (char)changed;
		assert_int_equal(call(SYS_access, A(name), F_OK, 0, 0, 0), -ENOENT);
		assert_int_equal(area->expected, changed ? SYS_access | DH_BUFFER_OTHER_DATA : 0);
		text[99] ^= (char)changed;
		call(SYS_write, (uint64_t)pair[0], A(text), 100, 0, 0);
		assert_int_equal(area->expected, changed ? SYS_write | DH_BUFFER_OTHER_DATA : 0);
		call(SYS_writev, (uint64_t)pair[0], A(iov), 2, 0, 0);
		assert_int_equal(area->expected, changed ? SYS_writev | DH_BUFFER_OTHER_DATA : 0);
	}
	close(pair[0]);
	close(pair[1]);
}

static void files(void **state)
{
	char name[] = "/tmp/deadheat-test-XXXXXX", text[64];
	struct dh_ev_buffered r;
	struct stat st;
	int fd = mkstemp(name), own;

	(void)state;
	assert_true(fd >= 0);
	/* unknown descriptors are the tracer's to look at */
	assert_int_equal(call(SYS_write, (uint64_t)fd, A("hello"), 5, 0, 0), 5);
	assert_int_equal(records(&r), 0);
	own = (int)call(SYS_openat, (uint64_t)AT_FDCWD, A(name), O_RDWR, 0, 0);
	assert_true(own > fd);
	assert_int_equal(records(&r), 1);
	assert_int_equal(r.result, own);
	assert_int_equal(fcntl(own, F_GETFL) & (O_NONBLOCK | O_ACCMODE), O_RDWR);
	if (area->fd[own] == DH_BUFFER_FD_FILE) {
		struct dh_ev_buffered_out o;

		assert_int_equal(call(SYS_read, (uint64_t)own, A(text), sizeof(text), 0, 0), 5);
		assert_int_equal(records(&r), 2);
		assert_int_equal(dh_ev_next_buffered_out(&r, &o), 1);
		assert_int_equal(o.len, 5);
		assert_memory_equal(o.data, "hello", 5);
		assert_int_equal(call(SYS_pwrite64, (uint64_t)own, A("H"), 1, 0, 0), 1);
		assert_int_equal(records(&r), 3);
		area->fd[own] = DH_BUFFER_FD_SHARED;
		assert_int_equal(call(SYS_pwrite64, (uint64_t)own, A("J"), 1, 0, 0), 1);
		assert_int_equal(records(&r), 3);
		assert_int_equal(call(SYS_pread64, (uint64_t)own, A(text), 5, 0, 0), 5);
		assert_int_equal(records(&r), 4);
		assert_memory_equal(text, "Jello", 5);
	}
	area->head = 0;
	assert_int_equal(fstat(own, &st), 0);
	area->fd[own] = DH_BUFFER_FD_FILE;
	assert_int_equal(call(SYS_close, (uint64_t)own, 0, 0, 0, 0), 0);
	assert_int_equal(area->fd[own], DH_BUFFER_FD_UNKNOWN);
	assert_int_equal(records(&r), 1);
	/* a file that is mapped shared is recognised when it is opened */
	area->shared[0].dev = st.st_dev;
	area->shared[0].ino = st.st_ino;
	area->n_shared = 1;
	own = (int)call(SYS_open, A(name), O_RDONLY, 0, 0, 0);
	assert_true(area->fd[own] == DH_BUFFER_FD_SHARED || area->fd[own] == DH_BUFFER_FD_STOPS);
	close(own);
	close(fd);
	unlink(name);
}

static void opening_never_waits(void **state)
{
	char dir[] = "/tmp/deadheat-test-XXXXXX", fifo[64], none[64];
	struct dh_ev_buffered r;
	int reader, fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	snprintf(none, sizeof(none), "%s/none", dir);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	reader = open(fifo, O_RDONLY | O_NONBLOCK);
	fd = (int)call(SYS_openat, (uint64_t)AT_FDCWD, A(fifo), O_WRONLY, 0, 0);
	assert_true(fd >= 0);
	assert_int_equal(records(&r), 0); /* it may wait: left alone */
	close(fd);
	close(reader);
	assert_int_equal(call(SYS_openat, (uint64_t)AT_FDCWD, A(none), O_RDONLY, 0, 0), -ENOENT);
	assert_int_equal(records(&r), 1);
	fd = (int)call(SYS_openat, (uint64_t)AT_FDCWD, A(none), O_RDWR | O_CREAT, 0600, 0);
	assert_true(fd >= 0);
	assert_int_equal(records(&r), 2);
	close(fd);
	unlink(none);
	unlink(fifo);
	rmdir(dir);
}

static void *write_later(void *arg)
{
	const struct timespec pause = {.tv_nsec = 30000000};

	nanosleep(&pause, NULL);
	assert_int_equal(write(*(int *)arg, "late", 4), 4);
	return NULL;
}

static void waiting_is_left_alone(int in, int out, uint8_t class)
{
	struct dh_ev_buffered r;
	pthread_t later;
	char text[16];

	area->head = 0;
	area->fd[in] = area->fd[out] = class;
	assert_int_equal(call(SYS_write, (uint64_t)out, A("now"), 3, 0, 0), 3);
	assert_int_equal(call(SYS_read, (uint64_t)in, A(text), sizeof(text), 0, 0), 3);
	if (area->fd[in] != class)
		return; /* a kernel that cannot say so without waiting */
	assert_int_equal(records(&r), 2);
	assert_int_equal(pthread_create(&later, NULL, write_later, &out), 0);
	assert_int_equal(call(SYS_read, (uint64_t)in, A(text), sizeof(text), 0, 0), 4);
	assert_int_equal(records(&r), 2);
	pthread_join(later, NULL);
	/* who does not want to wait is told so */
	fcntl(in, F_SETFL, O_NONBLOCK);
	assert_int_equal(call(SYS_read, (uint64_t)in, A(text), sizeof(text), 0, 0), -EAGAIN);
	assert_int_equal(records(&r), 3);
}

static void pipes_and_sockets(void **state)
{
	int p[2], s[2];

	(void)state;
	assert_int_equal(pipe(p), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	waiting_is_left_alone(p[0], p[1], DH_BUFFER_FD_STREAM);
	waiting_is_left_alone(s[0], s[1], DH_BUFFER_FD_SOCKET);
	for (int i = 0; i < 2; i++) {
		close(p[i]);
		close(s[i]);
	}
}

/* Where nobody else wants the turn the code itself waits. */
static void waiting_alone(void **state)
{
	static char data[1 << 15];
	struct pollfd fd = {.events = POLLIN};
	struct dh_ev_buffered_out o;
	struct dh_ev_buffered r;
	pthread_t later;
	char text[16];
	int p[2];

	(void)state;
	assert_int_equal(pipe(p), 0);
	fd.fd = p[0];
	area->alone = DH_BUFFER_ALONE;
	area->fd[p[0]] = DH_BUFFER_FD_OUT;
	area->fd[p[1]] = DH_BUFFER_FD_DEVICE;
	assert_int_equal(call(SYS_poll, A(&fd), 1, 5, 0, 0), 0);
	assert_int_equal(records(&r), 1);
	assert_int_equal(pthread_create(&later, NULL, write_later, &p[1]), 0);
	assert_int_equal(call(SYS_read, (uint64_t)p[0], A(text), sizeof(text), 0, 0), 4);
	assert_int_equal(records(&r), 2);
	assert_int_equal(r.result, 4);
	pthread_join(later, NULL);
	assert_int_equal(
		call(SYS_write, (uint64_t)p[1], A(data), sizeof(data), 0, 0), sizeof(data));
	assert_int_equal(records(&r), 3);
	area->fd[p[1]] = DH_BUFFER_FD_OUT;
	assert_int_equal(call(SYS_read, (uint64_t)p[0], A(data), 8, 0, 0), 8);
	assert_int_equal(call(SYS_write, (uint64_t)p[1], A(data), 8, 0, 0), 8);
	assert_int_equal(records(&r), 4); /* others may write there too */
	area->alone = DH_BUFFER_SOLE;
	assert_int_equal(call(SYS_write, (uint64_t)p[1], A(data), 8, 0, 0), 8);
	assert_int_equal(records(&r), 5);
	assert_int_equal(dh_ev_next_buffered_out(&r, &o), 1);
	assert_int_equal(o.shown, DH_EV_ECHO_OUT);
	assert_int_equal(o.addr, A(data));
	assert_int_equal(o.len, 8);
	area->alone = DH_BUFFER_NOT_ALONE;
	assert_int_equal(call(SYS_read, (uint64_t)p[0], A(data), 8, 0, 0), 8);
	assert_int_equal(records(&r), 5);
	close(p[0]);
	close(p[1]);
}

static void messages(void **state)
{
	char one[8] = {0}, two[8] = {0}, control[64];
	struct iovec out[] = {{(char *)"abc", 3}, {(char *)"defg", 4}};
	struct iovec in[] = {{one, 2}, {two, 8}};
	struct msghdr send = {.msg_iov = out, .msg_iovlen = 2};
	struct msghdr recv = {.msg_iov = in,
		.msg_iovlen = 2,
		.msg_control = control,
		.msg_controllen = sizeof(control)};
	struct dh_ev_buffered r;
	int s[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, s), 0);
	area->fd[s[0]] = area->fd[s[1]] = DH_BUFFER_FD_SOCKET;
	assert_int_equal(call(SYS_sendmsg, (uint64_t)s[0], A(&send), 0, 0, 0), 7);
	assert_int_equal(call(SYS_recvmsg, (uint64_t)s[1], A(&recv), 0, 0, 0), 7);
	assert_int_equal(records(&r), 2);
	assert_memory_equal(one, "ab", 2);
	assert_memory_equal(two, "cdefg", 5);
	assert_int_equal(r.n_out, 4); /* two pieces, the control buffer, the header */
	memset(one, 0, sizeof(one));
	memset(two, 0, sizeof(two));
	area->mode = DH_BUFFER_REPLAY;
	recv.msg_controllen = sizeof(control);
	call(SYS_sendmsg, (uint64_t)s[0], A(&send), 0, 0, 0);
	assert_int_equal(call(SYS_recvmsg, (uint64_t)s[1], A(&recv), 0, 0, 0), 7);
	assert_memory_equal(two, "cdefg", 5);
	assert_int_equal(recv.msg_controllen, 0);
	close(s[0]);
	close(s[1]);
}

static void large_sends_are_left_alone(void **state)
{
	static char data[1 << 20];
	struct dh_ev_buffered r;
	int s[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	area->fd[s[0]] = DH_BUFFER_FD_SOCKET;
	assert_int_equal(call(SYS_write, (uint64_t)s[0], A(data), 4096, 0, 0), 4096);
	assert_int_equal(records(&r), 0); /* it waits, and might be taken in part */
	fcntl(s[0], F_SETFL, O_NONBLOCK);
	assert_true(call(SYS_write, (uint64_t)s[0], A(data), sizeof(data), 0, 0) > 0);
	assert_int_equal(records(&r), 1);
	close(s[0]);
	close(s[1]);
}

static void polling(void **state)
{
	struct epoll_event ev = {.events = EPOLLIN}, got[4];
	struct pollfd fds[2];
	struct dh_ev_buffered r;
	int p[2], ep = epoll_create1(0);

	(void)state;
	assert_int_equal(pipe(p), 0);
	fds[0] = (struct pollfd){.fd = p[0], .events = POLLIN, .revents = 7};
	fds[1] = (struct pollfd){.fd = p[1], .events = POLLOUT};
	assert_int_equal(call(SYS_poll, A(fds), 2, 1000, 0, 0), 1);
	assert_int_equal(records(&r), 1);
	assert_int_equal(fds[0].revents, 0);
	assert_int_equal(fds[1].revents, POLLOUT);
	assert_int_equal(call(SYS_poll, A(fds), 1, 0, 0, 0), 0);
	assert_int_equal(records(&r), 2);
	assert_int_equal(call(SYS_poll, A(fds), 1, 10, 0, 0), 0); /* waits */
	assert_int_equal(records(&r), 2);
	assert_int_equal(
		call(SYS_epoll_ctl, (uint64_t)ep, EPOLL_CTL_ADD, (uint64_t)p[0], A(&ev), 0), 0);
	assert_int_equal(call(SYS_epoll_wait, (uint64_t)ep, A(got), 4, 10, 0), 0); /* waits */
	assert_int_equal(records(&r), 3);
	assert_int_equal(write(p[1], "x", 1), 1);
	assert_int_equal(call(SYS_epoll_wait, (uint64_t)ep, A(got), 4, -1, 0), 1);
	assert_int_equal(records(&r), 4);
	close(ep);
	close(p[0]);
	close(p[1]);
}

/* When the ring is full and nobody empties it, calls are left alone. */
static void a_full_ring(void **state)
{
	uint64_t head;

	(void)state;
	for (int i = 0; i < 100000; i++)
		assert_int_equal(call_getpid(0, 0, 0, 0, 0, 0), getpid());
	head = area->head;
	assert_true(head > DH_BUFFER_RING_SIZE / 2 && head < DH_BUFFER_RING_SIZE);
	call_getpid(0, 0, 0, 0, 0, 0);
	assert_int_equal(area->head, head);
}

/* Everything but the result and the two registers that any call destroys stays as it was. */
static void registers_survive(void **state)
{
	uint64_t in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8], flags_before, flags_behind;
	uint64_t target = A(call_getpid), sp_before, sp_behind;

	(void)state;
	__asm__ volatile("mov 0(%[in]), %%rdi\n\tmov 8(%[in]), %%rsi\n\tmov 16(%[in]), %%rdx\n\t"
			 "mov 24(%[in]), %%r10\n\tmov 32(%[in]), %%r8\n\tmov 40(%[in]), %%r9\n\t"
			 "mov 48(%[in]), %%r14\n\tmov 56(%[in]), %%r15\n\t"
			 "mov %%rsp, %[sp1]\n\tstc\n\tpushfq\n\tpopq %[f1]\n\t"
			 "call *%[fn]\n\t"
			 "pushfq\n\tpopq %[f2]\n\tmov %%rsp, %[sp2]\n\t"
			 "mov %%rdi, 0(%[out])\n\tmov %%rsi, 8(%[out])\n\tmov %%rdx, 16(%[out])\n\t"
			 "mov %%r10, 24(%[out])\n\tmov %%r8, 32(%[out])\n\tmov %%r9, 40(%[out])\n\t"
			 "mov %%r14, 48(%[out])\n\tmov %%r15, 56(%[out])\n\t"
			 : [f1] "=m"(flags_before), [f2] "=m"(flags_behind), [sp1] "=m"(sp_before),
			 [sp2] "=m"(sp_behind)
			 : [in] "b"(in), [out] "r"((uint64_t *)out), [fn] "m"(target)
			 : "rax", "rcx", "r11", "rdi", "rsi", "rdx", "r10", "r8", "r9", "r14",
			 "r15", "memory", "cc");
	assert_memory_equal(in, out, sizeof(in));
	assert_int_equal(flags_before, flags_behind);
	assert_int_equal(sp_before, sp_behind);
	assert_int_equal(area->calls, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(plain_calls, begin),
		cmocka_unit_test_setup(off_and_yield, begin),
		cmocka_unit_test_setup(replay_answers_from_the_ring, begin),
		cmocka_unit_test_setup(replay_notices_other_calls, begin),
		cmocka_unit_test_setup(files, begin),
		cmocka_unit_test_setup(opening_never_waits, begin),
		cmocka_unit_test_setup(pipes_and_sockets, begin),
		cmocka_unit_test_setup(waiting_alone, begin),
		cmocka_unit_test_setup(messages, begin),
		cmocka_unit_test_setup(replay_notices_other_data, begin),
		cmocka_unit_test_setup(large_sends_are_left_alone, begin),
		cmocka_unit_test_setup(polling, begin),
		cmocka_unit_test_setup(a_full_ring, begin),
		cmocka_unit_test_setup(registers_survive, begin),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
