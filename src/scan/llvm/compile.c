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
#include "scan/llvm/jobs.h"
#include "scan/llvm/output.h"

extern char **environ;

/* Attributes for clang's thread-safety analysis do not reach bitcode; annotations do. */
static const char *const facts[] = {
	"guarded_by", "pt_guarded_by", "acquired_after", "acquired_before"};
/* Those of functions.  Up to clang 17, annotations of functions without a body are dropped, but
 * what is to be assumed of them is not. */
static const char *const function_facts[] = {"requires_capability", "requires_shared_capability",
	"exclusive_locks_required", "shared_locks_required", "acquire_capability",
	"acquire_shared_capability", "exclusive_lock_function", "shared_lock_function",
	"release_capability", "release_shared_capability", "release_generic_capability",
	"unlock_function", "try_acquire_capability", "try_acquire_shared_capability",
	"exclusive_trylock_function", "shared_trylock_function", "locks_excluded",
	"assert_capability", "assert_exclusive_lock", "lock_returned"};

/* What makes clang stop at unoptimised bitcode that has everything in it.  It is not verified: that
 * would cost an eighth of the time, and the reader checks what it reads.  DWARF 5 would have a
 * checksum of every header. */
static const char *const fixed[] = {"-g", "-gdwarf-4", "-O0", "-w", "-fno-color-diagnostics",
	"-fno-caret-diagnostics", "-fno-crash-diagnostics", "-Xclang", "-disable-llvm-passes",
	"-Xclang", "-disable-O0-optnone", "-Xclang", "-disable-llvm-verifier", "-emit-llvm", "-c",
	"-o", "-", "-MD"};

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

static void add_facts(struct argv *a)
{
	for (size_t i = 0; i < DH_ARRAY_SIZE(facts); i++)
		add(a, dh_asprintf("-D%s(...)=annotate(\"deadheat:%s:\" #__VA_ARGS__)", facts[i],
			       facts[i]));
	for (size_t i = 0; i < DH_ARRAY_SIZE(function_facts); i++) {
		const char *name = function_facts[i];

		if (DH_LLVM_VERSION < 18)
			add(a, dh_asprintf("-D%s(...)=annotate(\"deadheat:%s:\" #__VA_ARGS__),"
					   "assume(\"deadheat:%s:\" #__VA_ARGS__)",
				       name, name, name));
		else
			add(a, dh_asprintf("-D%s(...)=annotate(\"deadheat:%s:\" #__VA_ARGS__)",
				       name, name));
	}
}

static void fill(struct argv *a, const struct dh_scan_compile *c, int deps)
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
	if (c->with_facts)
		add_facts(a);
	add(a, dh_strdup(c->file));
	DH_GROW(a->items, a->n, a->cap);
	a->items[a->n] = NULL;
}

char **dh_scan_compile_argv(const struct dh_scan_compile *c, int deps)
{
	struct argv a = {0};

	fill(&a, c, deps);
	return a.items;
}

static void free_argv(char **argv)
{
	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	free(argv);
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

static int run(const struct dh_scan_compile *c, const struct dh_scan_files *f)
{
	posix_spawn_file_actions_t actions;
	char **argv = dh_scan_compile_argv(c, f->deps);
	pid_t pid;
	int r;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, f->bitcode, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, f->messages, STDERR_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addchdir_np(&actions, c->dir);
	r = -posix_spawn(&pid, c->clang, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	free_argv(argv);
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

/* After a header that is not there, clang does not say what it read. */
static int reject(
	const struct dh_scan_compile *c, const struct dh_scan_files *f, struct dh_error *err)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT, rule = DH_BUF_INIT;

	if (dh_scan_files_read(f, NULL, &rule, NULL) == 0 && rule.len)
		dh_extract_rejection(dh_buf_str(&rule), c->dir, c->output);
	read_all(f->messages, 1 << 20, &text);
	return dh_error_set(err, EBADMSG, "%s", first_error(text.data ? text.data : (char[]){0}));
}

int dh_scan_compile_verdict(const struct dh_scan_compile *c, int status,
	const struct dh_scan_files *f, struct dh_error *err)
{
	if (status == 0)
		return 0;
	if (status == -ETIMEDOUT)
		return dh_error_set(err, ETIMEDOUT, "clang needed more than %d seconds",
			DH_SCAN_COMPILE_SECONDS);
	if (status < 0)
		return dh_error_set(
			err, -status, "%s cannot be run: %s", c->clang, strerror(-status));
	if (WIFSIGNALED(status))
		return dh_error_set(err, EBADMSG, "clang died of signal %d", WTERMSIG(status));
	/* 70 and more: clang caught its own crash and printed a stack. */
	if (WEXITSTATUS(status) >= 70)
		return dh_error_set(err, EBADMSG, "clang crashed (status %d)", WEXITSTATUS(status));
	/* It may be a program that uses one of the words of the facts for something else. */
	if (c->with_facts)
		return DH_EXTRACT_AGAIN;
	return reject(c, f, err);
}

int dh_scan_files_open(struct dh_scan_files *ret, struct dh_error *err)
{
	struct dh_scan_files f = {
		memfd_create("bitcode", 0), memfd_create("deps", 0), memfd_create("messages", 0)};

	if (f.bitcode < 0 || f.deps < 0 || f.messages < 0) {
		int r = dh_error_set(err, errno, "memfd_create: %s", strerror(errno));

		dh_scan_files_close(&f);
		return r;
	}
	*ret = f;
	return 0;
}

void dh_scan_files_close(struct dh_scan_files *f)
{
	dh_closep(&f->bitcode);
	dh_closep(&f->deps);
	dh_closep(&f->messages);
}

int dh_scan_files_read(const struct dh_scan_files *f, struct dh_buf *bitcode, struct dh_buf *deps,
	struct dh_error *err)
{
	if (bitcode && read_all(f->bitcode, DH_SCAN_MAX_BITCODE, bitcode) < 0)
		return dh_error_set(err, EFBIG, "clang wrote more than %u MiB of bitcode",
			DH_SCAN_MAX_BITCODE >> 20);
	if (read_all(f->deps, DH_SCAN_MAX_DEPS, deps) < 0)
		return dh_error_set(err, EFBIG, "the list of headers has more than %u MiB",
			DH_SCAN_MAX_DEPS >> 20);
	return 0;
}

int dh_scan_compile(const struct dh_scan_compile *c, struct dh_buf *bitcode, struct dh_buf *deps,
	struct dh_error *err)
{
	struct dh_scan_files f;
	int r = dh_scan_files_open(&f, err);

	if (r < 0)
		return r;
	r = dh_scan_compile_verdict(c, run(c, &f), &f, err);
	if (r == 0)
		r = dh_scan_files_read(&f, bitcode, deps, err);
	dh_scan_files_close(&f);
	return r;
}
