#include "scan/extract/helper.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/paths.h"
#include "scan/extract/job.h"

extern char **environ;

struct dh_scan_helper {
	pid_t pid;
	int to, from;
};

int dh_scan_helper_version(void)
{
	return DH_LLVM_VERSION;
}

static bool is_program(const char *path, char *ret, size_t size)
{
	return access(path, X_OK) == 0 && (size_t)snprintf(ret, size, "%s", path) < size;
}

/* Looks along PATH, as a shell would. */
static bool find_program(const char *name, char *ret, size_t size)
{
	const char *path = getenv("PATH");
	DH_FREE char *copy = dh_strdup(path ? path : "/usr/bin:/bin");
	char *rest = copy, *dir;

	while ((dir = strsep(&rest, ":"))) {
		DH_FREE char *full = dh_asprintf("%s/%s", dir[0] ? dir : ".", name);

		if (is_program(full, ret, size))
			return true;
	}
	return false;
}

int dh_scan_helper_clang(char *ret, size_t size, struct dh_error *err)
{
	const char *chosen = getenv("DEADHEAT_CLANG");
	char name[32];

	snprintf(name, sizeof(name), "clang-%d", DH_LLVM_VERSION);
	if (!DH_LLVM_VERSION)
		return dh_error_set(err, ENOPKG,
			"this deadheat was built without LLVM: install llvm-dev and clang "
			"(./dev deps) and build again");
	if (chosen && chosen[0]) {
		if (strchr(chosen, '/') ? is_program(chosen, ret, size)
					: find_program(chosen, ret, size))
			return 0;
		return dh_error_set(err, ENOPKG, "DEADHEAT_CLANG: no program '%s'", chosen);
	}
	if (is_program(DH_LLVM_BINDIR "/clang", ret, size) || find_program(name, ret, size))
		return 0;
	return dh_error_set(err, ENOPKG,
		"clang %d is not installed: apt-get install clang-%d, or name one of that version "
		"in DEADHEAT_CLANG",
		DH_LLVM_VERSION, DH_LLVM_VERSION);
}

static int spawn(struct dh_scan_helper *h, char *path, int in, int out)
{
	posix_spawn_file_actions_t actions;
	char *argv[] = {path, NULL};
	int r;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	r = -posix_spawn(&h->pid, path, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return r;
}

int dh_scan_helper_start(struct dh_scan_helper **ret, struct dh_error *err)
{
	struct dh_scan_helper h = {.to = -1, .from = -1};
	char path[2048];
	int in[2] = {-1, -1}, out[2] = {-1, -1};
	int r = dh_helper_path("deadheat-extract", path, sizeof(path), err);

	if (r < 0)
		return r;
	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
		r = -errno;
	else
		r = spawn(&h, path, in[0], out[1]);
	dh_closep(&in[0]);
	dh_closep(&out[1]);
	if (r < 0) {
		dh_closep(&in[1]);
		dh_closep(&out[0]);
		return dh_error_set(err, -r, "cannot start %s: %s", path, strerror(-r));
	}
	/* A helper that is gone is an error of the write, not a signal. */
	signal(SIGPIPE, SIG_IGN);
	h.to = in[1];
	h.from = out[0];
	*ret = dh_memdup(&h, sizeof(h));
	return 0;
}

void dh_scan_helper_stop(struct dh_scan_helper *h)
{
	if (!h)
		return;
	dh_closep(&h->to);
	dh_closep(&h->from);
	while (waitpid(h->pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(h);
}

static int gone(struct dh_error *err)
{
	return dh_error_set(err, EPIPE,
		"deadheat-extract ended unexpectedly; run with -v, and check that it can be "
		"started");
}

int dh_scan_helper_send(struct dh_scan_helper *h, const char *const *parts, struct dh_error *err)
{
	DH_BUF struct dh_buf job = DH_BUF_INIT;
	uint32_t size = 0;

	dh_buf_add(&job, &size, sizeof(size));
	for (; *parts; parts++)
		dh_buf_add(&job, *parts, strlen(*parts) + 1);
	if (job.len > DH_SCAN_MAX_JOB)
		return dh_error_set(err, E2BIG, "the command line of a unit is too long");
	size = (uint32_t)(job.len - sizeof(size));
	memcpy(job.data, &size, sizeof(size));
	return dh_write_full(h->to, job.data, job.len) < 0 ? gone(err) : 0;
}

int dh_scan_helper_receive(
	struct dh_scan_helper *h, struct dh_scan_result *ret, struct dh_error *err)
{
	if (dh_read_full(h->from, ret, sizeof(*ret)) != (ssize_t)sizeof(*ret))
		return gone(err);
	ret->text[sizeof(ret->text) - 1] = 0;
	return 0;
}
