#include "proc/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fd.h"
#include "proc/filter.h"
#include "proc/tracee.h"

static int check_executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode) || access(path, X_OK) < 0)
		return -EACCES;
	return 0;
}

int dh_spawn_resolve(const char *file, char *ret, size_t size)
{
	const char *path = getenv("PATH");
	int result = -ENOENT;

	if (strchr(file, '/')) {
		if (snprintf(ret, size, "%s", file) >= (int)size)
			return -ENAMETOOLONG;
		return check_executable(ret);
	}
	for (path = path ? path : "/usr/bin:/bin"; path; path = *path ? path + 1 : NULL) {
		size_t n = strcspn(path, ":");
		int r;

		if (snprintf(ret, size, "%.*s/%s", n ? (int)n : 1, n ? path : ".", file) <
			(int)size) {
			r = check_executable(ret);
			if (r == 0)
				return 0;
			if (r == -EACCES)
				result = r;
		}
		path += n;
	}
	return result;
}

/* Only what is safe between fork and exec.  The tracer sees an exec that fails by itself. */
static DH_NORETURN void child(const struct dh_spawn *s, const char *path, int go)
{
	char byte;

	if (read(go, &byte, 1) != 1)
		_exit(127);
	if (s->cpu >= 0) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(s->cpu, &set);
		sched_setaffinity(0, sizeof(set), &set);
	}
	if (s->prepare)
		s->prepare(s->cookie);
	personality(personality(0xffffffff) | ADDR_NO_RANDOMIZE);
	if (dh_filter_install(s->filter, s->n_filter) == 0)
		execve(path, s->argv, s->envp);
	_exit(127);
}

int dh_spawn_traced(const struct dh_spawn *s, pid_t *ret, struct dh_error *err)
{
	DH_FD int go_r = -1, go_w = -1;
	struct dh_tracee t;
	char path[4096];
	int p[2], r;
	pid_t pid;

	r = dh_spawn_resolve(s->file, path, sizeof(path));
	if (r < 0)
		return dh_error_set(err, -r, "cannot run '%s': %s", s->file,
			r == -ENOENT ? "no such program" : strerror(-r));
	if (pipe2(p, O_CLOEXEC) < 0)
		return -errno;
	go_r = p[0], go_w = p[1];
	pid = fork();
	if (pid < 0)
		return dh_error_set(err, errno, "fork: %s", strerror(errno));
	if (pid == 0)
		child(s, path, go_r);
	dh_tracee_init(&t, pid);
	r = dh_tracee_seize(&t);
	if (r < 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return dh_error_set(err, -r,
			"ptrace is not allowed here (%s); 'deadheat doctor' tells how to mend it",
			strerror(-r));
	}
	if (write(go_w, "x", 1) != 1)
		return -EIO;
	*ret = pid;
	return 0;
}
