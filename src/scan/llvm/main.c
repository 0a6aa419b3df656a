/* deadheat-extract: reads jobs (scan/extract/job.h), compiles each and writes its summary.  LLVM is
 * loaded once; each job runs in a fork, so that a crash costs one unit. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/map.h"
#include "scan/extract/job.h"
#include "scan/extract/path.h"
#include "scan/ir/summary.h"
#include "scan/llvm/compile.h"
#include "scan/llvm/lift.h"

static struct dh_map running; /* pid -> 1 + number of the job */

static void report(uint32_t number, int code, const char *text)
{
	struct dh_scan_result r = {.number = number, .code = code};

	snprintf(r.text, sizeof(r.text), "%s", text);
	if (dh_write_full(STDOUT_FILENO, &r, sizeof(r)) < 0)
		_exit(1);
}

static void put_part(struct dh_buf *out, const void *p, uint64_t n)
{
	dh_buf_add(out, &n, sizeof(n));
	dh_buf_add(out, p, n);
}

static void end_name(struct dh_buf *word, const char *dir, struct dh_buf *names)
{
	DH_FREE char *path = NULL;

	if (!word->len)
		return;
	path = dh_scan_path(dir, dh_buf_str(word), NULL);
	dh_buf_add(names, path, strlen(path) + 1);
	dh_buf_clear(word);
}

/* "out.o: a.c dir/b\ c.h \" and so on: the names, absolute, each ended by a null byte. */
static void read_rule(const char *rule, const char *dir, struct dh_buf *names)
{
	const char *s = strstr(rule, ": ");
	DH_BUF struct dh_buf word = DH_BUF_INIT;

	for (s = s ? s + 1 : ""; *s; s++) {
		if (s[0] == '\\' && s[1] == '\n')
			end_name(&word, dir, names);
		else if (s[0] == '\\' && (s[1] == ' ' || s[1] == '#'))
			dh_buf_addc(&word, *++s);
		else if (s[0] == '$' && s[1] == '$')
			dh_buf_addc(&word, *++s);
		else if (*s == ' ' || *s == '\n')
			end_name(&word, dir, names);
		else
			dh_buf_addc(&word, *s);
	}
	end_name(&word, dir, names);
}

static uint64_t count_lines(const char *path)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	uint64_t n = 0;

	if (dh_read_file(path, DH_SCAN_MAX_BITCODE, &text, NULL) < 0)
		return 0;
	for (size_t i = 0; i < text.len; i++)
		n += text.data[i] == '\n';
	return n;
}

/* The unit with its own functions, then each function that other units may share. */
static void write_summaries(struct dh_scan_program *p, struct dh_buf *out)
{
	uint32_t *own = dh_new_n(uint32_t, p->n_functions);
	DH_BUF struct dh_buf one = DH_BUF_INIT;
	size_t n = 0;

	for (uint32_t i = 1; i < p->n_functions; i++) {
		if (!(p->functions[i]->flags & DH_SCAN_FN_SHARED))
			own[n++] = i;
	}
	dh_scan_summary_write(p, own, n, true, &one);
	put_part(out, dh_buf_str(&one), one.len);
	for (uint32_t i = 1; i < p->n_functions; i++) {
		if (!(p->functions[i]->flags & DH_SCAN_FN_SHARED))
			continue;
		dh_buf_clear(&one);
		dh_scan_summary_write(p, &i, 1, false, &one);
		put_part(out, dh_buf_str(&one), one.len);
	}
	free(own);
}

/* For the other process, which reads it when it is told that it is there, and then removes it:
 * there is no need to wait for the disk. */
static int write_output(const char *path, const struct dh_buf *out, struct dh_error *err)
{
	DH_FD int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int r = fd < 0 ? -errno : dh_write_full(fd, out->data, out->len);

	return r < 0 ? dh_error_set(err, -r, "%s: %s", path, strerror(-r)) : 0;
}

static int work(char *const *part, struct dh_error *err)
{
	struct dh_scan_compile c = {.clang = part[DH_SCAN_JOB_CLANG],
		.dir = part[DH_SCAN_JOB_DIR],
		.file = part[DH_SCAN_JOB_FILE],
		.flags = part + DH_SCAN_JOB_FLAGS};
	DH_BUF struct dh_buf bitcode = DH_BUF_INIT, rule = DH_BUF_INIT, names = DH_BUF_INIT,
			     out = DH_BUF_INIT;
	const char *root = part[DH_SCAN_JOB_ROOT];
	struct dh_scan_program *p;
	int r = dh_scan_compile(&c, &bitcode, &rule, err);

	if (r < 0)
		return r;
	p = dh_scan_program_new();
	r = dh_lift_bitcode(p, bitcode.data, bitcode.len, part[DH_SCAN_JOB_NAME], root,
		count_lines(c.file), err);
	if (r == 0) {
		read_rule(dh_buf_str(&rule), c.dir, &names);
		put_part(&out, dh_buf_str(&names), names.len);
		write_summaries(p, &out);
		r = write_output(part[DH_SCAN_JOB_OUTPUT], &out, err);
	}
	dh_scan_program_free(p);
	return r;
}

/* The strings of a job as an array that ends with NULL; NULL when some are missing. */
static char **split(char *job, size_t size)
{
	size_t n = 0, cap = 0;
	char **part = NULL;

	for (char *s = job; s < job + size; s += strlen(s) + 1) {
		DH_GROW(part, n, cap);
		part[n++] = s;
	}
	DH_GROW(part, n, cap);
	part[n] = NULL;
	if (n >= DH_SCAN_JOB_FLAGS)
		return part;
	free(part);
	return NULL;
}

static void start(char *job, size_t size)
{
	DH_FREE char **part = split(job, size);
	struct dh_error err = DH_ERROR_INIT;
	uint32_t number = part ? (uint32_t)strtoul(part[DH_SCAN_JOB_NUMBER], NULL, 10) : 0;
	pid_t pid;
	int r;

	if (!part)
		_exit(1);
	pid = fork();
	if (pid < 0) {
		report(number, -errno, strerror(errno));
	} else if (pid > 0) {
		dh_map_set(&running, (uint64_t)pid, 1 + (uint64_t)number);
	} else {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		/* A loop in LLVM, or here: the alarm kills, and that is reported. */
		alarm(2 * DH_SCAN_COMPILE_SECONDS);
		r = work(part, &err);
		report(number, r, r < 0 ? dh_error_text(&err, r) : "");
		_exit(0);
	}
}

static void reap(void)
{
	uint64_t number;
	char text[100];
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (!dh_map_get(&running, (uint64_t)pid, &number))
			continue;
		dh_map_del(&running, (uint64_t)pid);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			continue;
		snprintf(text, sizeof(text), "reading the bitcode ended with %s %d",
			WIFSIGNALED(status) ? "signal" : "status",
			WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		report((uint32_t)(number - 1), -EBADMSG, text);
	}
}

/* One job; false at the end of the input. */
static bool next(void)
{
	uint32_t size;
	DH_FREE char *job = NULL;

	if (dh_read_full(STDIN_FILENO, &size, sizeof(size)) != sizeof(size) || size == 0 ||
		size > DH_SCAN_MAX_JOB)
		return false;
	job = dh_alloc((size_t)size + 1);
	if (dh_read_full(STDIN_FILENO, job, size) != (ssize_t)size)
		return false;
	job[size] = 0;
	start(job, size);
	return true;
}

int main(void)
{
	struct pollfd p[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.events = POLLIN}};
	struct signalfd_siginfo info;
	sigset_t chld;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	p[1].fd = signalfd(-1, &chld, SFD_CLOEXEC);
	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return 1;
		if (p[1].revents && read(p[1].fd, &info, sizeof(info)) > 0)
			reap();
		if (p[0].revents && !next())
			break;
	}
	/* Nobody waits for what is still running. */
	dh_map_foreach (child, &running)
		kill((pid_t)child->key, SIGKILL);
	return 0;
}
