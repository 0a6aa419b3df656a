#include "scan/llvm/jobs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/map.h"
#include "scan/extract/job.h"
#include "scan/llvm/compile.h"

/* Of a fork: its job is to be tried without facts. */
#define STATUS_AGAIN 75

struct running {
	struct running *next; /* of those that wait */
	char *job;            /* the strings, and part points to each of them */
	char **part;
	uint32_t number;
	bool with_facts;
};

static struct dh_map running; /* pid -> struct running */
static struct running *first_waiting, **last_waiting = &first_waiting;
static int results;
static dh_extract_work *do_work;

static void report(uint32_t number, int code, const char *text)
{
	struct dh_scan_result r = {.number = number, .code = code};

	snprintf(r.text, sizeof(r.text), "%s", text);
	if (dh_write_full(results, &r, sizeof(r)) < 0)
		_exit(1);
}

static void forget(struct running *job)
{
	free(job->part);
	free(job->job);
	free(job);
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

static void work(const struct running *job)
{
	struct dh_error err = DH_ERROR_INIT;
	sigset_t none;
	int r;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* A loop in clang, in LLVM, or here: the alarm kills, and that is reported. */
	alarm(2 * DH_SCAN_COMPILE_SECONDS);
	r = do_work(job->part, job->with_facts, &err);
	if (r == DH_EXTRACT_AGAIN && job->with_facts)
		_exit(STATUS_AGAIN);
	report(job->number, r, r < 0 ? dh_error_text(&err, r) : "");
	_exit(0);
}

static void start(struct running *job)
{
	pid_t pid = fork();

	if (pid == 0)
		work(job);
	if (pid > 0) {
		dh_map_setp(&running, (uint64_t)pid, job);
		return;
	}
	report(job->number, -errno, strerror(errno));
	forget(job);
}

/* As many at a time as there may be. */
static void start_waiting(unsigned limit)
{
	while (first_waiting && running.n < limit) {
		struct running *job = first_waiting;

		first_waiting = job->next;
		if (!first_waiting)
			last_waiting = &first_waiting;
		start(job);
	}
}

/* One fork has ended.  What went well it has reported itself. */
static void finish(struct running *job, int status)
{
	char text[100];

	if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_AGAIN && job->with_facts) {
		job->with_facts = false;
		start(job);
		return;
	}
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		snprintf(text, sizeof(text), "clang, or what reads its code, took too long");
	else
		snprintf(text, sizeof(text), "clang, or what reads its code, ended with %s %d",
			WIFSIGNALED(status) ? "signal" : "status",
			WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		report(job->number, -EBADMSG, text);
	forget(job);
}

static void reap(void)
{
	struct running *job;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		job = dh_map_getp(&running, (uint64_t)pid);
		if (!job)
			continue;
		dh_map_del(&running, (uint64_t)pid);
		finish(job, status);
	}
}

/* One job; false at the end of the input. */
static bool next(int in)
{
	struct running *job;
	uint32_t size;

	if (dh_read_full(in, &size, sizeof(size)) != sizeof(size) || size == 0 ||
		size > DH_SCAN_MAX_JOB)
		return false;
	job = dh_new(struct running);
	job->with_facts = true;
	job->job = dh_zalloc((size_t)size + 1);
	if (dh_read_full(in, job->job, size) == (ssize_t)size)
		job->part = split(job->job, size);
	if (!job->part) {
		forget(job);
		return false;
	}
	job->number = (uint32_t)strtoul(job->part[DH_SCAN_JOB_NUMBER], NULL, 10);
	*last_waiting = job;
	last_waiting = &job->next;
	return true;
}

int dh_extract_serve(int in, int out, unsigned limit, dh_extract_work *work_of)
{
	struct pollfd p[2] = {{.fd = in, .events = POLLIN}, {.events = POLLIN}};
	struct signalfd_siginfo info;
	sigset_t chld;

	results = out;
	do_work = work_of;
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	p[1].fd = signalfd(-1, &chld, SFD_CLOEXEC);
	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return 1;
		if (p[1].revents && read(p[1].fd, &info, sizeof(info)) > 0)
			reap();
		if (p[0].revents && !next(in))
			break;
		start_waiting(limit);
	}
	/* Nobody waits for what is still running. */
	dh_map_foreach (child, &running)
		kill((pid_t)child->key, SIGKILL);
	return 0;
}
