#include "scan/llvm/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"

extern char **environ;

/* Attributes for clang's thread-safety analysis do not reach bitcode; annotations do. */
static const char *const facts[] = {"guarded_by", "pt_guarded_by", "acquired_after",
	"acquired_before", "requires_capability", "requires_shared_capability",
	"exclusive_locks_required", "shared_locks_required", "acquire_capability",
	"acquire_shared_capability", "exclusive_lock_function", "shared_lock_function",
	"release_capability", "release_shared_capability", "release_generic_capability",
	"unlock_function", "try_acquire_capability", "try_acquire_shared_capability",
	"exclusive_trylock_function", "shared_trylock_function", "locks_excluded",
	"assert_capability", "assert_exclusive_lock", "lock_returned"};

/* What makes clang stop at unoptimised bitcode that has everything in it.  It is not verified: that
 * would cost an eighth of the time, and the reader checks what it reads. */
static const char *const fixed[] = {"-g", "-O0", "-w", "-fno-color-diagnostics",
	"-fno-caret-diagnostics", "-Xclang", "-disable-llvm-passes", "-Xclang",
	"-disable-O0-optnone", "-Xclang", "-disable-llvm-verifier", "-emit-llvm", "-c", "-o", "-",
	"-MD"};

/* What gcc takes with a warning and clang does not, and the version of clang that knows the name:
 * it looks for names like one that it does not know, which costs more than a small file. */
static const struct {
	const char *name;
	int since;
} tolerated[] = {{"reserved-user-defined-literal", 0}, {"implicit-function-declaration", 0},
	{"implicit-int", 0}, {"int-conversion", 0}, {"incompatible-function-pointer-types", 0},
	{"incompatible-pointer-types", 0}, {"return-type", 0}, {"c++11-narrowing", 0},
	{"register", 0}, {"invalid-constexpr", 16}, {"enum-constexpr-conversion", 16},
	{"non-pod-varargs", 0}, {"writable-strings", 0}, {"unknown-warning-option", 0},
	{"missing-template-arg-list-after-template-kw", 19}};

struct argv {
	char **items;
	size_t n, cap;
};

static void add(struct argv *a, char *owned)
{
	DH_GROW(a->items, a->n, a->cap);
	a->items[a->n++] = owned;
}

static void release(struct argv *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->items[i]);
	free(a->items);
}

static void fill(struct argv *a, const struct dh_scan_compile *c, int deps, bool with_facts)
{
	add(a, dh_strdup(c->clang));
	for (char *const *flag = c->flags; *flag; flag++)
		add(a, dh_strdup(*flag));
	for (size_t i = 0; i < DH_ARRAY_SIZE(fixed); i++)
		add(a, dh_strdup(fixed[i]));
	for (size_t i = 0; i < DH_ARRAY_SIZE(tolerated); i++)
		if (DH_LLVM_VERSION >= tolerated[i].since)
			add(a, dh_asprintf("-Wno-%s", tolerated[i].name));
	add(a, dh_strdup("-MF"));
	add(a, dh_asprintf("/dev/fd/%d", deps));
	for (size_t i = 0; with_facts && i < DH_ARRAY_SIZE(facts); i++)
		add(a, dh_asprintf("-D%s(...)=annotate(\"deadheat:%s:\" #__VA_ARGS__)", facts[i],
			       facts[i]));
	add(a, dh_strdup(c->file));
	DH_GROW(a->items, a->n, a->cap);
	a->items[a->n] = NULL;
}

/* Waits for the child, at most so long; its wait status, or -ETIMEDOUT. */
static int wait_for(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0), status = 0;
	struct pollfd p = {.fd = fd, .events = POLLIN};
	bool late = fd >= 0 && poll(&p, 1, DH_SCAN_COMPILE_SECONDS * 1000) == 0;

	if (late)
		kill(pid, SIGKILL);
	if (fd >= 0)
		close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return late ? -ETIMEDOUT : status;
}

static int run(
	const struct dh_scan_compile *c, int bitcode, int deps, int messages, bool with_facts)
{
	posix_spawn_file_actions_t actions;
	struct argv a = {0};
	pid_t pid;
	int r;

	fill(&a, c, deps, with_facts);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, bitcode, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addchdir_np(&actions, c->dir);
	r = -posix_spawn(&pid, c->clang, &actions, NULL, a.items, environ);
	posix_spawn_file_actions_destroy(&actions);
	release(&a);
	return r < 0 ? r : wait_for(pid);
}

/* The first line that says "error", else the first. */
static const char *first_error(char *text)
{
	char *rest = text, *line, *first = NULL;

	while ((line = strsep(&rest, "\n"))) {
		if (strstr(line, "error:"))
			return line;
		if (!first && line[0])
			first = line;
	}
	return first ? first : "no reason given";
}

static int read_all(int fd, size_t max, struct dh_buf *out)
{
	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	return dh_read_fd(fd, max, out);
}

static int complain(const struct dh_scan_compile *c, int status, int messages, struct dh_error *err)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;

	if (status == -ETIMEDOUT)
		return dh_error_set(err, ETIMEDOUT, "clang needed more than %d seconds",
			DH_SCAN_COMPILE_SECONDS);
	if (status < 0)
		return dh_error_set(
			err, -status, "%s cannot be run: %s", c->clang, strerror(-status));
	read_all(messages, 1 << 20, &text);
	if (WIFSIGNALED(status))
		return dh_error_set(err, EBADMSG, "clang died of signal %d", WTERMSIG(status));
	/* 70 and more: clang caught its own crash and printed a stack. */
	if (WEXITSTATUS(status) >= 70)
		return dh_error_set(err, EBADMSG, "clang crashed (status %d)", WEXITSTATUS(status));
	return dh_error_set(err, EBADMSG, "%s", first_error(text.data ? text.data : (char[]){0}));
}

static int new_memory(const char *name)
{
	return memfd_create(name, 0);
}

int dh_scan_compile(const struct dh_scan_compile *c, struct dh_buf *bitcode, struct dh_buf *deps,
	struct dh_error *err)
{
	DH_FD int bit = new_memory("bitcode"), dep = new_memory("deps"),
		  msg = new_memory("messages");
	int status;

	if (bit < 0 || dep < 0 || msg < 0)
		return dh_error_set(err, errno, "memfd_create: %s", strerror(errno));
	status = run(c, bit, dep, msg, true);
	/* A program that uses one of these words for something else. */
	if (status > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 1 && ftruncate(bit, 0) == 0 &&
		ftruncate(msg, 0) == 0 && ftruncate(dep, 0) == 0) {
		lseek(bit, 0, SEEK_SET);
		lseek(msg, 0, SEEK_SET);
		status = run(c, bit, dep, msg, false);
	}
	if (status != 0)
		return complain(c, status, msg, err);
	if (read_all(bit, DH_SCAN_MAX_BITCODE, bitcode) < 0 ||
		read_all(dep, DH_SCAN_MAX_DEPS, deps) < 0)
		return dh_error_set(err, EFBIG, "clang wrote more than %u MiB of bitcode",
			DH_SCAN_MAX_BITCODE >> 20);
	return 0;
}
