#include "fuzz/check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "fuzz/failure.h"
#include "fuzz/server.h"

#define CHECK_SECONDS 60

/* A description of its own, so that its position is not that of the run. */
static int open_again(int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static DH_NORETURN void child(const char *command, int status, int in, int errors, int say)
{
	char text[16];

	setpgid(0, 0);
	snprintf(text, sizeof(text), "%d", status);
	setenv("DEADHEAT_STATUS", text, 1);
	dup2(in, STDIN_FILENO);
	dup2(say, STDOUT_FILENO);
	dup2(say, STDERR_FILENO);
	dup2(errors, 3);
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static int wait_for(pid_t pid, int *ret)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0), r = 0;
	struct pollfd p = {fd, POLLIN, 0};

	if (fd >= 0 && poll(&p, 1, CHECK_SECONDS * 1000) == 0) {
		kill(-pid, SIGKILL);
		r = -ETIMEDOUT;
	}
	dh_closep(&fd);
	while (waitpid(pid, ret, 0) < 0 && errno == EINTR)
		;
	return r;
}

static void first_line(int fd, char *ret, size_t size)
{
	ssize_t n = pread(fd, ret, size - 1, 0);

	ret[DH_MAX(n, 0)] = 0;
	ret[strcspn(ret, "\r\n")] = 0;
}

int dh_check_run(const char *command, int status, int out_fd, int err_fd, char *ret, size_t size)
{
	DH_FD int in = open_again(out_fd), errors = open_again(err_fd);
	DH_FD int say = memfd_create("deadheat-check", MFD_CLOEXEC);
	int result = 0, r;
	pid_t pid;

	if (in < 0 || errors < 0 || say < 0)
		return -errno;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0)
		child(command, status, in, errors, say);
	r = wait_for(pid, &result);
	if (r < 0)
		return r;
	first_line(say, ret, size);
	if (WIFEXITED(result) && WEXITSTATUS(result) == 127)
		return -ENOENT;
	return result != 0;
}

void dh_check_judge(const char *command, const struct dh_run *run, int out_fd, int err_fd,
	struct dh_fuzz_failure *ret)
{
	char said[200] = "";
	int r = dh_check_run(
		command, dh_shell_status(run->status), out_fd, err_fd, said, sizeof(said));

	if (r == 0)
		return;
	ret->kind = r < 0 ? DH_FAILURE_UNDECIDED : DH_FAILURE_CHECK;
	ret->status = dh_shell_status(run->status);
	ret->key = DH_CHECK_KEY;
	if (r < 0)
		snprintf(ret->detail, sizeof(ret->detail), "the check cannot be run: %s",
			strerror(-r));
	else
		snprintf(ret->detail, sizeof(ret->detail), "%.200s%s%s", command,
			said[0] ? ": " : "", said);
}
