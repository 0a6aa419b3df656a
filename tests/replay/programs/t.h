/* What the programs of the replay suite share.
 *
 * Each program exercises one thing that Linux allows.  What it prints holds values that no second
 * run would repeat (times, ids, addresses, random bytes, the order of events), so that a replay
 * can print the same only by being the same execution.  A program checks itself with CHECK and
 * TRY; status 99 means that one of them failed, anything else is the program's own. */
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define T_FAILED 99

/* One write per call, no allocation and no lock: usable after fork, in handlers and in threads. */
__attribute__((format(printf, 2, 0))) static inline void t_vsay(int fd, const char *fmt, va_list ap)
{
	char buf[4096];
	int n, saved = errno;
	ssize_t done;

	n = vsnprintf(buf, sizeof(buf), fmt, ap);
	if (n > (int)sizeof(buf) - 1)
		n = (int)sizeof(buf) - 1;
	for (int off = 0; off < n; off += (int)done) {
		done = write(fd, buf + off, (size_t)(n - off));
		if (done < 0 && errno == EINTR)
			done = 0;
		else if (done <= 0)
			_exit(T_FAILED);
	}
	errno = saved;
}

__attribute__((format(printf, 1, 2))) static inline void say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t_vsay(STDOUT_FILENO, fmt, ap);
	va_end(ap);
}

__attribute__((format(printf, 2, 3))) static inline void say_to(int fd, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t_vsay(fd, fmt, ap);
	va_end(ap);
}

__attribute__((noreturn)) static inline void t_fail(const char *file, int line, const char *what)
{
	int saved = errno;
	char buf[512];
	int n = snprintf(buf, sizeof(buf), "%s:%d: %s (errno %d)\n", file, line, what, saved);

	if (write(STDERR_FILENO, buf, (size_t)n) != n)
		_exit(T_FAILED - 1);
	_exit(T_FAILED);
}

#define CHECK(cond)  ((cond) ? (void)0 : t_fail(__FILE__, __LINE__, #cond))

#define T_CAT_(a, b) a##b
#define T_CAT(a, b)  T_CAT_(a, b)

/* The value of a call that reports failure with -1 (or MAP_FAILED).  It may nest. */
#define TRY(call) T_TRY_(call, T_CAT(t_value_, __COUNTER__))
#define T_TRY_(call, value)                                                                        \
	({                                                                                         \
		__typeof__(call) value = (call);                                                   \
		if (value == (__typeof__(value))-1)                                                \
			t_fail(__FILE__, __LINE__, #call);                                         \
		value;                                                                             \
	})

/* For calls that return an error number, as the pthread functions do. */
#define TRY0(call)                                                                                 \
	do {                                                                                       \
		errno = (call);                                                                    \
		if (errno)                                                                         \
			t_fail(__FILE__, __LINE__, #call);                                         \
	} while (0)

static inline uint64_t t_hash(const void *data, size_t len)
{
	const unsigned char *p = (const unsigned char *)data;
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

/* Different numbers in every run. */
static inline uint64_t t_rand(void)
{
	static uint64_t state;

	if (!state)
		CHECK(getrandom(&state, sizeof(state), 0) == sizeof(state));
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static inline unsigned t_rand_in(unsigned lo, unsigned hi)
{
	return lo + (unsigned)(t_rand() % (hi - lo + 1));
}

static inline uint64_t t_now_ns(void)
{
	struct timespec ts;

	TRY(clock_gettime(CLOCK_MONOTONIC, &ts));
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static inline void t_sleep_us(unsigned us)
{
	struct timespec ts = {us / 1000000, (long)(us % 1000000) * 1000};

	while (nanosleep(&ts, &ts) < 0)
		CHECK(errno == EINTR);
}

static char t_tmp_path[PATH_MAX];
static pid_t t_tmp_owner;

static inline int t_tmp_remove_one(const char *path, const struct stat *st, int flag, struct FTW *f)
{
	(void)st;
	(void)flag;
	(void)f;
	return remove(path);
}

static inline void t_tmp_remove(void)
{
	if (getpid() != t_tmp_owner || chdir("/") < 0)
		return;
	nftw(t_tmp_path, t_tmp_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Makes a fresh directory, enters it, and removes it with all it holds at exit(). */
static inline const char *t_tmp(void)
{
	const char *base = getenv("TMPDIR");

	snprintf(t_tmp_path, sizeof(t_tmp_path), "%s/replay.XXXXXX", base ? base : "/tmp");
	CHECK(mkdtemp(t_tmp_path));
	TRY(chdir(t_tmp_path));
	t_tmp_owner = getpid();
	atexit(t_tmp_remove);
	return t_tmp_path;
}

static inline void t_on(int sig, void (*fn)(int), int flags)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = fn;
	sa.sa_flags = flags;
	TRY(sigaction(sig, &sa, NULL));
}

static inline void t_on_info(int sig, void (*fn)(int, siginfo_t *, void *), int flags)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_sigaction = fn;
	sa.sa_flags = flags | SA_SIGINFO;
	TRY(sigaction(sig, &sa, NULL));
}

static inline void t_block(int sig, int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	TRY0(pthread_sigmask(how, &set, NULL));
}

static inline int t_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		CHECK(errno == EINTR);
	return status;
}

static inline void t_say_status(const char *who, int status)
{
	if (WIFEXITED(status))
		say("%s: exit %d\n", who, WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		say("%s: signal %d\n", who, WTERMSIG(status));
	else if (WIFSTOPPED(status))
		say("%s: stopped by %d\n", who, WSTOPSIG(status));
	else
		say("%s: status %#x\n", who, status);
}

static inline void t_write_file(const char *name, const void *data, size_t len)
{
	int fd = TRY(open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));

	CHECK(write(fd, data, len) == (ssize_t)len);
	TRY(close(fd));
}

static inline void t_fill_random(void *data, size_t len)
{
	unsigned char *p = (unsigned char *)data;

	for (size_t i = 0; i < len; i++)
		p[i] = (unsigned char)t_rand();
}
