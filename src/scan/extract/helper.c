#include "scan/extract/helper.h"

#include <errno.h>
#include <poll.h>
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

/* To be loaded, on a machine that is busy. */
#define GREETING_SECONDS 60

extern char **environ;

struct dh_scan_helper {
	pid_t pid;
	int to, from;
	bool clang;
};

/* How a helper is started. */
struct program {
	const char *path;
	char *limit; /* its argument */
	char **env;
	bool quiet; /* what it says on its standard error is of no use to anybody */
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

static int spawn(struct dh_scan_helper *h, const struct program *p, int in, int out)
{
	posix_spawn_file_actions_t actions;
	char *argv[] = {(char *)(uintptr_t)p->path, p->limit, NULL};
	int r;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (p->quiet)
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	r = -posix_spawn(&h->pid, p->path, &actions, NULL, argv, p->env);
	posix_spawn_file_actions_destroy(&actions);
	return r;
}

/* Starts the program with pipes to and from it. */
static int start(const struct program *p, struct dh_scan_helper **ret)
{
	struct dh_scan_helper h = {.to = -1, .from = -1};
	int in[2] = {-1, -1}, out[2] = {-1, -1}, r;

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
		r = -errno;
	else
		r = spawn(&h, p, in[0], out[1]);
	dh_closep(&in[0]);
	dh_closep(&out[1]);
	if (r < 0) {
		dh_closep(&in[1]);
		dh_closep(&out[0]);
		return r;
	}
	/* A helper that is gone is an error of the write, not a signal. */
	signal(SIGPIPE, SIG_IGN);
	h.to = in[1];
	h.from = out[0];
	*ret = dh_memdup(&h, sizeof(h));
	return 0;
}

/* What is bound before the first fork is bound once; and a compiler asks for much memory, which
 * comes in large pieces and large pages. */
static const char *const tuned[] = {
	"LD_BIND_NOW=1", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216"};

static bool is_same_variable(const char *a, const char *b)
{
	size_t n = strcspn(a, "=");

	return strncmp(a, b, n + 1) == 0;
}

/* The environment with LD_PRELOAD; the first string is the caller's to free, and the array. */
static char **preloading(const char *library)
{
	const char *old = getenv("LD_PRELOAD");
	size_t n = 0, k = 0;
	char **env;

	while (environ[n])
		n++;
	env = dh_new_n(char *, n + 2 + DH_ARRAY_SIZE(tuned));
	env[k++] = dh_asprintf("LD_PRELOAD=%s%s%s", library, old ? ":" : "", old ? old : "");
	for (size_t i = 0; i < DH_ARRAY_SIZE(tuned); i++)
		env[k++] = (char *)(uintptr_t)tuned[i];
	for (size_t i = 0; i < n; i++) {
		if (!is_same_variable(env[0], environ[i]) &&
			!is_same_variable(tuned[0], environ[i]) &&
			!is_same_variable(tuned[1], environ[i]))
			env[k++] = environ[i];
	}
	env[k] = NULL;
	return env;
}

static bool greets(struct dh_scan_helper *h)
{
	struct pollfd p = {.fd = h->from, .events = POLLIN};
	char text[sizeof(DH_SCAN_GREETING)];

	return poll(&p, 1, GREETING_SECONDS * 1000) > 0 &&
	       dh_read_full(h->from, text, sizeof(text)) == (ssize_t)sizeof(text) &&
	       memcmp(text, DH_SCAN_GREETING, sizeof(text)) == 0;
}

/* clang itself, if it can be taken over.  The linker cannot name every path. */
static struct dh_scan_helper *start_clang(const char *clang, char *limit)
{
	struct program p = {.path = clang, .limit = limit, .quiet = true};
	struct dh_scan_helper *h;
	char library[2048];
	int r;

	if (dh_helper_path("libdeadheat-extract.so", library, sizeof(library), NULL) < 0 ||
		strpbrk(library, " :"))
		return NULL;
	p.env = preloading(library);
	r = start(&p, &h);
	free(p.env[0]);
	free(p.env);
	if (r < 0)
		return NULL;
	if (greets(h))
		return h;
	kill(h->pid, SIGKILL);
	dh_scan_helper_stop(h);
	return NULL;
}

int dh_scan_helper_start(
	const char *clang, unsigned limit, struct dh_scan_helper **ret, struct dh_error *err)
{
	DH_FREE char *text = dh_asprintf("%u", limit);
	struct dh_scan_helper *h = start_clang(clang, text);
	struct program p = {.limit = text, .env = environ};
	char path[2048];
	int r;

	if (h) {
		h->clang = true;
		*ret = h;
		return 0;
	}
	r = dh_helper_path("deadheat-extract", path, sizeof(path), err);
	if (r < 0)
		return r;
	p.path = path;
	r = start(&p, ret);
	return r < 0 ? dh_error_set(err, -r, "cannot start %s: %s", path, strerror(-r)) : 0;
}

bool dh_scan_helper_is_clang(const struct dh_scan_helper *h)
{
	return h->clang;
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
