#include "scan/extract/capture.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "scan/extract/command.h"

#define MAX_COMMAND_LINE ((size_t)16 << 20)
#define OPTIONS                                                                                    \
	(PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |     \
		PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "gcc", "x86_64-linux-gnu-g++-12", "clang-14": a name of a compiler, with what may surround it. */
static bool is_compiler(const char *path)
{
	static const char *const names[] = {
		"gcc", "g++", "cc", "c++", "clang", "clang++", "icx", "icpx"};
	const char *base = base_of(path);

	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++) {
		size_t n = strlen(names[i]);
		const char *at = base;

		while ((at = strstr(at, names[i]))) {
			bool begins = at == base || at[-1] == '-';
			const char *rest = at + n;

			if (begins && (!*rest || (*rest == '-' && strspn(rest + 1, "0123456789.") ==
									  strlen(rest + 1))))
				return true;
			at++;
		}
	}
	return false;
}

static bool is_launcher(const char *path)
{
	static const char *const names[] = {"ccache", "distcc", "sccache", "icecc", "gomacc"};

	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++) {
		if (strcmp(base_of(path), names[i]) == 0)
			return true;
	}
	return false;
}

/* Options that stop before anything is compiled. */
static bool only_looks(const char *arg)
{
	return strcmp(arg, "-E") == 0 || strcmp(arg, "-M") == 0 || strcmp(arg, "-MM") == 0 ||
	       strcmp(arg, "-###") == 0 || strcmp(arg, "-fsyntax-only") == 0 ||
	       strcmp(arg, "-cc1") == 0 || strcmp(arg, "-cc1as") == 0;
}

void dh_scan_capture_command(struct dh_scan_commands *c, const char *dir, char *const *argv)
{
	if (!argv[0] || (is_launcher(argv[0]) && argv[1] && ++argv && !argv[0]))
		return;
	if (!is_compiler(argv[0]))
		return;
	for (size_t i = 1; argv[i]; i++) {
		if (only_looks(argv[i]))
			return;
	}
	for (size_t i = 1; argv[i]; i++) {
		bool value = strcmp(argv[i - 1], "-o") == 0 ||
			     strcmp(argv[i - 1], "-include") == 0 ||
			     strcmp(argv[i - 1], "-MF") == 0 || strcmp(argv[i - 1], "-MT") == 0;

		/* What configure scripts try out is gone by now, and is not the program. */
		if (argv[i][0] != '-' && !value && dh_scan_is_source(argv[i]) &&
			strncmp(base_of(argv[i]), "conftest", 8) != 0)
			dh_scan_commands_add(c, dir, argv[i], argv);
	}
}

/* What was seen, until the build is over: sources may be made and removed while it runs. */
struct seen {
	struct dh_buf
		lines; /* folder and words, each ended by a null byte; a further one at the end */
};

static void see(struct seen *s, pid_t pid)
{
	DH_BUF struct dh_buf line = DH_BUF_INIT;
	char link[64], dir[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/cwd", (int)pid);
	n = readlink(link, dir, sizeof(dir) - 1);
	snprintf(link, sizeof(link), "/proc/%d/cmdline", (int)pid);
	if (n <= 0 || dh_read_file(link, MAX_COMMAND_LINE, &line, NULL) < 0 || !line.len)
		return;
	dir[n] = 0;
	if (!is_compiler(line.data) && !is_launcher(line.data))
		return;
	dh_buf_add(&s->lines, dir, (size_t)n + 1);
	dh_buf_add(&s->lines, line.data, line.len);
	/* The last word ends with a null byte already; an empty one ends the list. */
	if (line.data[line.len - 1])
		dh_buf_addc(&s->lines, 0);
	dh_buf_addc(&s->lines, 0);
}

static void take_all(struct dh_scan_commands *c, const struct seen *s)
{
	const char *at = s->lines.data, *end = at + s->lines.len;

	while (at < end) {
		const char *dir = at;
		char **argv = NULL;
		size_t n = 0, cap = 0;

		for (at += strlen(at) + 1; at < end && *at; at += strlen(at) + 1) {
			DH_GROW(argv, n, cap);
			argv[n++] = (char *)(uintptr_t)at;
		}
		DH_GROW(argv, n, cap);
		argv[n] = NULL;
		dh_scan_capture_command(c, dir, argv);
		free(argv);
		at++;
	}
}

/* The child waits until it is traced, then becomes the build. */
static void become(char *const *argv)
{
	/* What the build says is not the result of the scan. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0)
		_exit(126);
	raise(SIGSTOP);
	execvp(argv[0], argv);
	fprintf(stderr, "deadheat: error: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* One stop: what a process did, and how it goes on. */
static void handle_stop(struct seen *s, pid_t pid, int status)
{
	int signo = WSTOPSIG(status), event = status >> 16;

	if (event == PTRACE_EVENT_EXEC)
		see(s, pid);
	/* New processes begin with a stop of their own; stops of a group are let through. */
	if (event || signo == SIGSTOP || signo == SIGTRAP || signo == (SIGTRAP | 0x80))
		signo = 0;
	ptrace(PTRACE_CONT, pid, 0, signo);
}

static int watch(struct seen *s, pid_t build)
{
	int status, last = 0;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		if (pid < 0)
			continue;
		if (WIFSTOPPED(status))
			handle_stop(s, pid, status);
		else if (pid == build)
			last = status;
	}
	return last;
}

static int run_traced(struct seen *s, char *const *argv, int *ret_status, struct dh_error *err)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return dh_error_set(err, errno, "fork: %s", strerror(errno));
	if (pid == 0)
		become(argv);
	while (waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 126)
		return -EPERM;
	if (!WIFSTOPPED(status) || ptrace(PTRACE_SETOPTIONS, pid, 0, OPTIONS) < 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, __WALL);
		return -EPERM;
	}
	ptrace(PTRACE_CONT, pid, 0, 0);
	*ret_status = watch(s, pid);
	return 0;
}

/* bear writes a build database. */
static int run_bear(
	struct dh_scan_commands *c, char *const *argv, int *ret_status, struct dh_error *err)
{
	char name[] = "/tmp/deadheat-build-XXXXXX";
	size_t n = 0;
	int fd = mkstemp(name), status = 0, r;
	pid_t pid;

	if (fd < 0)
		return dh_error_set(err, errno, "%s: %s", name, strerror(errno));
	close(fd);
	while (argv[n])
		n++;
	DH_FREE char **all = dh_new_n(char *, n + 5);
	char *first[] = {(char *)(uintptr_t) "bear", (char *)(uintptr_t) "--output", name,
		(char *)(uintptr_t) "--"};

	memcpy(all, first, sizeof(first));
	memcpy(all + DH_ARRAY_SIZE(first), argv, (n + 1) * sizeof(*all));
	pid = fork();
	if (pid == 0) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execvp(all[0], all);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
		r = dh_error_set(err, EPERM,
			"a build can be watched neither with ptrace, which is forbidden here, nor "
			"with bear, which is not installed; make a build database (cmake "
			"-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, meson) and use -p");
	else
		r = dh_scan_commands_load(c, name, err);
	*ret_status = status;
	unlink(name);
	return r;
}

int dh_scan_capture(
	struct dh_scan_commands *c, char *const *argv, int *ret_status, struct dh_error *err)
{
	struct seen s = {.lines = DH_BUF_INIT};
	int r = run_traced(&s, argv, ret_status, err);

	if (r == -EPERM)
		r = run_bear(c, argv, ret_status, err);
	else if (r == 0)
		take_all(c, &s);
	dh_buf_release(&s.lines);
	return r;
}
