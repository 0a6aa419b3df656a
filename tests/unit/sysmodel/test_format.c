#include "../unit.h"

#include <arpa/inet.h>
#include <asm/unistd_64.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "sysmodel/sysmodel.h"

static int memory_of_self = -1;

/* The way that a tracer reads: whole pages may be looked at, whatever lies behind a string. */
static int read_self(void *cookie, uint64_t addr, void *p, size_t n)
{
	return pread(memory_of_self, p, n, (off_t)addr) == (ssize_t)n ? 0 : -EFAULT;
}

static void check(
	const char *want, bool with_result, int64_t result, int64_t nr, const uint64_t arg[6])
{
	struct dh_buf out = DH_BUF_INIT;
	struct dh_sys_call c = {.nr = nr, .result = result, .read = read_self};

	memcpy(c.arg, arg, sizeof(c.arg));
	dh_sysmodel_format(&c, with_result, &out);
	assert_string_equal(dh_buf_str(&out), want);
	dh_buf_release(&out);
}

#define P(x)                   ((uintptr_t)(x))
#define ARGS(...)              ((const uint64_t[6]){__VA_ARGS__})
#define ENTRY(want, nr, ...)   check(want, false, 0, __NR_##nr, ARGS(__VA_ARGS__))
#define EXIT(want, r, nr, ...) check(want, true, r, __NR_##nr, ARGS(__VA_ARGS__))

static void files(void **state)
{
	struct open_how how = {.flags = O_RDWR, .mode = 0, .resolve = RESOLVE_BENEATH};

	ENTRY("open(\"x\", O_RDONLY)", open, P("x"), O_RDONLY, 0666);
	EXIT("openat(AT_FDCWD, \"/tmp/a b\", O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0644) = 3", 3,
		openat, (uint32_t)AT_FDCWD, P("/tmp/a b"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		0644);
	EXIT("openat(4, \"x\", O_RDWR|O_TMPFILE, 0600) = -1 EISDIR (Is a directory)", -EISDIR,
		openat, 4, P("x"), O_RDWR | O_TMPFILE, 0600);
	EXIT("openat2(AT_FDCWD, \"y\", {flags=O_RDWR, mode=000, resolve=0x8}, 24) = 5", 5, openat2,
		(uint64_t)AT_FDCWD, P("y"), P(&how), sizeof(how));
	EXIT("lseek(3, -8, SEEK_END) = 100", 100, lseek, 3, (uint64_t)-8, SEEK_END);
	EXIT("access(\"x\", F_OK) = 0", 0, access, P("x"), F_OK);
	EXIT("access(\"x\", R_OK|X_OK) = 0", 0, access, P("x"), R_OK | X_OK);
	ENTRY("mknod(\"d\", 020600, makedev(8, 1))", mknod, P("d"), S_IFCHR | 0600, makedev(8, 1));
	ENTRY("chown(\"d\", 1000, -1)", chown, P("d"), 1000, UINT32_MAX);
	EXIT("unlinkat(AT_FDCWD, \"d\", AT_REMOVEDIR) = 0", 0, unlinkat, (uint64_t)AT_FDCWD, P("d"),
		AT_REMOVEDIR);
	ENTRY("openat(AT_FDCWD, 0x10, O_RDONLY)", openat, (uint64_t)AT_FDCWD, 16, 0);
}

static void data(void **state)
{
	char text[100] = "a\n\"b\\\x01"
			 "7\x80";
	struct iovec v[2] = {{"hello ", 6}, {text, 3}};

	EXIT("read(3, \"a\\n\\\"b\", 100) = 4", 4, read, 3, P(text), 100);
	ENTRY("read(3, NULL, 100)", read, 3, 0, 100);
	EXIT("read(3, \"a\\n\\\"b\\\\\\0017\\200\", 100) = 8", 8, read, 3, P(text), 100);
	EXIT("read(3, \"\", 100) = 0", 0, read, 3, P(text), 100);
	ENTRY("write(1, \"a\\n\", 2)", write, 1, P(text), 2);
	memset(text, 'x', sizeof(text));
	ENTRY("write(1, \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"..., "
	      "100)",
		write, 1, P(text), 100);
	EXIT("writev(1, [{iov_base=\"hello \", iov_len=6}, {iov_base=\"xxx\", iov_len=3}], 2) = 9",
		9, writev, 1, P(v), 2);
	EXIT("readv(1, [{iov_base=\"hello \", iov_len=6}, {iov_base=\"x\", iov_len=3}], 2) = 7", 7,
		readv, 1, P(v), 2);
	EXIT("read(3, 0x1000, 4) = -1 EFAULT (Bad address)", -EFAULT, read, 3, 0x1000, 4);
	EXIT("write(3, 0x1000, 4) = -1 EFAULT (Bad address)", -EFAULT, write, 3, 0x1000, 4);
}

static void memory(void **state)
{
	EXIT("mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = "
	     "0x7f0000000000",
		0x7f0000000000, mmap, 0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		(uint64_t)-1, 0);
	EXIT("mmap(NULL, 8192, PROT_NONE, MAP_SHARED, 3, 0x1000) = -1 ENOMEM (Cannot allocate "
	     "memory)",
		-ENOMEM, mmap, 0, 8192, PROT_NONE, MAP_SHARED, 3, 0x1000);
	EXIT("brk(NULL) = 0x555500000000", 0x555500000000, brk, 0);
	EXIT("madvise(0x1000, 4096, MADV_DONTNEED) = 0", 0, madvise, 0x1000, 4096, MADV_DONTNEED);
	ENTRY("mprotect(0x1000, 4096, PROT_READ|0x100)", mprotect, 0x1000, 4096, PROT_READ | 0x100);
}

static void processes(void **state)
{
	const char *argv[] = {"sh", "-c", "echo", NULL};
	struct clone_args a = {.flags = CLONE_VM | CLONE_CLEAR_SIGHAND, .exit_signal = SIGCHLD};
	int status = 3 << 8;
	struct rlimit64 limit = {1024, RLIM64_INFINITY};

	ENTRY("clone(CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD, NULL, NULL, 0x10000, NULL)",
		clone, CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | SIGCHLD, 0, 0, 0x10000, 0);
	ENTRY("clone(SIGCHLD, NULL, NULL, NULL, NULL)", clone, SIGCHLD);
	ENTRY("clone3({flags=CLONE_VM|CLONE_CLEAR_SIGHAND, exit_signal=SIGCHLD, stack=0, "
	      "stack_size=0}, 88)",
		clone3, P(&a), sizeof(a));
	ENTRY("execve(\"/bin/sh\", [\"sh\", \"-c\", \"echo\"], 0x20000)", execve, P("/bin/sh"),
		P(argv), 0x20000);
	EXIT("wait4(-1, [exited 3], WNOHANG|WSTOPPED, NULL) = 12", 12, wait4, (uint64_t)-1,
		P(&status), WNOHANG | WUNTRACED);
	EXIT("wait4(-1, NULL, 0, NULL) = ? ERESTARTSYS", -512, wait4, (uint64_t)-1, 0, 0, 0);
	status = SIGKILL;
	EXIT("wait4(-1, [killed SIGKILL], 0, NULL) = 12", 12, wait4, (uint64_t)-1, P(&status));
	EXIT("kill(12, SIGTERM) = 0", 0, kill, 12, SIGTERM);
	EXIT("kill(12, 0) = -1 ESRCH (No such process)", -ESRCH, kill, 12, 0);
	EXIT("prlimit64(0, RLIMIT_NOFILE, NULL, {rlim_cur=1024, rlim_max=RLIM64_INFINITY}) = 0", 0,
		prlimit64, 0, RLIMIT_NOFILE, 0, P(&limit));
	ENTRY("prctl(PR_SET_NAME, 0x1, 0, 0, 0)", prctl, PR_SET_NAME, 1);
	ENTRY("getpid()", getpid, 0);
}

static void signals(void **state)
{
	uint64_t action[4] = {0x401000, SA_RESTART | 0x04000000, 0x402000, 1UL << (SIGINT - 1)};
	uint64_t set = 1UL << (SIGINT - 1) | 1UL << (SIGTERM - 1), all = ~(1UL << (SIGHUP - 1));

	EXIT("rt_sigaction(SIGALRM, {sa_handler=0x401000, sa_mask=[INT], "
	     "sa_flags=SA_RESTART|SA_RESTORER}, NULL, 8) = 0",
		0, rt_sigaction, SIGALRM, P(action), 0, 8);
	action[0] = 1;
	action[1] = action[3] = 0;
	EXIT("rt_sigaction(SIGRTMIN, NULL, {sa_handler=SIG_IGN, sa_mask=[], sa_flags=0}, 8) = 0", 0,
		rt_sigaction, 32, 0, P(action), 8);
	ENTRY("rt_sigprocmask(SIG_BLOCK, [INT TERM], NULL, 8)", rt_sigprocmask, SIG_BLOCK, P(&set),
		0, 8);
	ENTRY("rt_sigsuspend(~[HUP], 8)", rt_sigsuspend, P(&all), 8);
	assert_string_equal(dh_sysmodel_signal_name(SIGALRM), "SIGALRM");
	assert_string_equal(dh_sysmodel_signal_name(34), "SIGRT_2");
	assert_null(dh_sysmodel_signal_name(0));
	assert_null(dh_sysmodel_signal_name(65));
	assert_string_equal(dh_sysmodel_errno_name(ENOENT), "ENOENT");
	assert_string_equal(dh_sysmodel_errno_name(EAGAIN), "EAGAIN");
	assert_string_equal(dh_sysmodel_errno_name(EHWPOISON), "EHWPOISON");
	assert_null(dh_sysmodel_errno_name(0));
	assert_null(dh_sysmodel_errno_name(400));
	assert_null(dh_sysmodel_errno_name(5000));
}

static void sockets(void **state)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(80)};
	struct sockaddr_un un = {.sun_family = AF_UNIX, .sun_path = "/run/x"};
	socklen_t len = sizeof(in);
	char want[200];

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ENTRY("socket(AF_INET, SOCK_STREAM|SOCK_CLOEXEC|SOCK_NONBLOCK, 0)", socket, AF_INET,
		SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	ENTRY("connect(3, {sa_family=AF_INET, sin_port=htons(80), "
	      "sin_addr=inet_addr(\"127.0.0.1\")}, 16)",
		connect, 3, P(&in), sizeof(in));
	ENTRY("bind(3, {sa_family=AF_UNIX, sun_path=\"/run/x\"}, 110)", bind, 3, P(&un),
		sizeof(un));
	memcpy(un.sun_path, "\0name", 5);
	ENTRY("bind(3, {sa_family=AF_UNIX, sun_path=@\"name\"}, 7)", bind, 3, P(&un), 7);
	snprintf(want, sizeof(want),
		"accept(3, {sa_family=AF_INET, sin_port=htons(80), "
		"sin_addr=inet_addr(\"127.0.0.1\")}, %p) = 4",
		(void *)&len);
	EXIT(want, 4, accept, 3, P(&in), P(&len));
	EXIT("accept(3, NULL, NULL) = 4", 4, accept, 3, 0, 0);
}

static void socket_messages(void **state)
{
	struct iovec v = {"data", 4};
	struct msghdr h = {.msg_iov = &v, .msg_iovlen = 1};

	ENTRY("sendmsg(3, {msg_name=NULL, msg_iov=[{iov_base=\"data\", iov_len=4}], "
	      "msg_controllen=0, msg_flags=0}, MSG_DONTWAIT|MSG_NOSIGNAL)",
		sendmsg, 3, P(&h), MSG_DONTWAIT | MSG_NOSIGNAL);
	EXIT("recvmsg(3, {msg_name=NULL, msg_iov=[{iov_base=\"da\", iov_len=4}], "
	     "msg_controllen=0, msg_flags=0}, 0) = 2",
		2, recvmsg, 3, P(&h), 0);
	ENTRY("setsockopt(3, SOL_SOCKET, SO_REUSEADDR, 0x10, 4)", setsockopt, 3, SOL_SOCKET,
		SO_REUSEADDR, 16, 4);
	ENTRY("setsockopt(3, IPPROTO_TCP, TCP_NODELAY, 0x10, 4)", setsockopt, 3, IPPROTO_TCP,
		TCP_NODELAY, 16, 4);
}

static void waiting(void **state)
{
	struct pollfd fds[2] = {{3, POLLIN, POLLIN | POLLHUP}, {4, POLLOUT, 0}};
	struct timespec t = {1, 500};
	struct epoll_event ev = {.events = EPOLLIN | EPOLLET, .data.u64 = 7};
	int pair[2] = {3, 4};

	EXIT("poll([{fd=3, events=POLLIN, revents=POLLIN|POLLHUP}, {fd=4, events=POLLOUT}], 2, -1) "
	     "= 1",
		1, poll, P(fds), 2, (uint64_t)-1);
	ENTRY("nanosleep({tv_sec=1, tv_nsec=500}, NULL)", nanosleep, P(&t));
	ENTRY("epoll_ctl(5, EPOLL_CTL_ADD, 3, {events=EPOLLIN|EPOLLET, data=0x7})", epoll_ctl, 5,
		EPOLL_CTL_ADD, 3, P(&ev));
	ENTRY("futex(0x10000, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0)", futex, 0x10000,
		FUTEX_WAIT_PRIVATE, 2);
	ENTRY("futex(0x10000, FUTEX_WAIT_BITSET|FUTEX_CLOCK_REALTIME, 2, NULL, NULL, 4294967295)",
		futex, 0x10000, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 2, 0, 0, UINT32_MAX);
	EXIT("pipe2([3, 4], O_RDONLY|O_CLOEXEC) = 0", 0, pipe2, P(pair), O_CLOEXEC);
	EXIT("clock_gettime(CLOCK_MONOTONIC, {tv_sec=1, tv_nsec=500}) = 0", 0, clock_gettime,
		CLOCK_MONOTONIC, P(&t));
}

static void requests(void **state)
{
	int n = 12;

	EXIT("fcntl(3, F_GETFL) = 2", 2, fcntl, 3, F_GETFL, 99);
	EXIT("fcntl(3, F_SETFL, O_RDWR|O_NONBLOCK) = 0", 0, fcntl, 3, F_SETFL, O_RDWR | O_NONBLOCK);
	EXIT("fcntl(3, F_SETFD, FD_CLOEXEC) = 0", 0, fcntl, 3, F_SETFD, FD_CLOEXEC);
	EXIT("fcntl(3, F_DUPFD_CLOEXEC, 10) = 10", 10, fcntl, 3, F_DUPFD_CLOEXEC, 10);
	EXIT("ioctl(3, FIONREAD, [12]) = 0", 0, ioctl, 3, FIONREAD, P(&n));
	EXIT("ioctl(0, TCGETS, 0x10) = -1 ENOTTY (Inappropriate ioctl for device)", -ENOTTY, ioctl,
		0, TCGETS, 16);
	ENTRY("ioctl(3, _IOC(_IOC_READ, 0x54, 0x30, 0x4), 0x10)", ioctl, 3, TIOCGPTN, 16);
	ENTRY("ioctl(3, TCFLSH, 2)", ioctl, 3, TCFLSH, 2);
	check("syscall_400(0x1, 0, 0, 0, 0, 0)", false, 0, 400, ARGS(1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files),
		cmocka_unit_test(data),
		cmocka_unit_test(memory),
		cmocka_unit_test(processes),
		cmocka_unit_test(signals),
		cmocka_unit_test(sockets),
		cmocka_unit_test(socket_messages),
		cmocka_unit_test(waiting),
		cmocka_unit_test(requests),
	};

	memory_of_self = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
