#include "doctor/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"

const char *dh_health_name(enum dh_health h)
{
	static const char *const names[] = {
		[DH_HEALTH_WORKS] = "works",
		[DH_HEALTH_DEGRADED] = "degraded",
		[DH_HEALTH_MISSING] = "missing",
	};

	return names[h];
}

void dh_probe_says(struct dh_probe_result *r, enum dh_health h, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	r->health = h;
	vsnprintf(r->detail, sizeof(r->detail), fmt, ap);
	va_end(ap);
}

void dh_probe_mend(struct dh_probe_result *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->mend, sizeof(r->mend), fmt, ap);
	va_end(ap);
}

pid_t dh_probe_fork(void)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* In a new pid namespace the parent shows as 0; it cannot have gone unnoticed. */
		if (getppid() != parent && getppid() != 0)
			_exit(1);
	}
	return pid < 0 ? -errno : pid;
}

int dh_probe_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, __WALL) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return status;
}

int dh_probe_tool(const char *const *argv, char *ret, size_t size)
{
	int pipefd[2], status;
	char rest[512];
	ssize_t n;
	pid_t pid;

	if (pipe2(pipefd, O_CLOEXEC) < 0)
		return -errno;
	pid = dh_probe_fork();
	if (pid == 0) {
		dup2(pipefd[1], STDOUT_FILENO);
		dup2(pipefd[1], STDERR_FILENO);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(pipefd[1]);
	n = pid < 0 ? 0 : dh_read_full(pipefd[0], ret, size - 1);
	ret[n < 0 ? 0 : n] = '\0';
	while (n > 0) /* a closed pipe would end the tool early */
		n = read(pipefd[0], rest, sizeof(rest));
	close(pipefd[0]);
	status = pid < 0 ? pid : dh_probe_wait(pid);
	if (status < 0)
		return status;
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status) == 127 ? -ENOENT : WEXITSTATUS(status);
}

void dh_probe_tool_failed(struct dh_probe_result *ret, const char *tool, int r, const char *output)
{
	if (r == -ENOENT)
		dh_probe_says(ret, DH_HEALTH_MISSING, "%s is not installed", tool);
	else
		dh_probe_says(ret, DH_HEALTH_MISSING, "%s failed: %.*s", tool,
			(int)DH_MIN(strcspn(output, "\n"), (size_t)100), output);
	dh_probe_mend(ret, "as root: apt-get install %s", tool);
}

long dh_probe_read_number(const char *path)
{
	DH_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[32];
	ssize_t n = fd < 0 ? -errno : dh_read_full(fd, text, sizeof(text) - 1);

	if (n < 0)
		return n;
	text[n] = '\0';
	return strtol(text, NULL, 10);
}

/* A new folder for the child to work in; "" when there is no place for one. */
static void make_scratch(char *ret, size_t size)
{
	const char *places[] = {getenv("TMPDIR"), "/tmp", "/var/tmp", "/dev/shm", "."};

	for (size_t i = 0; i < DH_ARRAY_SIZE(places); i++) {
		if (!places[i] || !*places[i])
			continue;
		if (snprintf(ret, size, "%s/deadheat-doctor-XXXXXX", places[i]) >= (int)size)
			continue;
		if (mkdtemp(ret))
			return;
	}
	ret[0] = '\0';
}

static DH_NORETURN void run_child(
	const struct dh_probe *p, const char *scratch, int out, pid_t parent)
{
	struct dh_probe_result r = {.health = DH_HEALTH_MISSING};
	int null = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	setsid(); /* so that the time limit ends its children too */
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	if (*scratch && chdir(scratch) < 0)
		_exit(1);
	setenv("LC_ALL", "C", 1);
	p->run(&r);
	dh_write_full(out, &r, sizeof(r));
	_exit(0);
}

/* Reads the result from the pipe until the deadline: its size, less at its end, or -errno. */
static ssize_t read_until(int fd, struct dh_probe_result *ret, double deadline)
{
	size_t got = 0;

	while (got < sizeof(*ret)) {
		struct pollfd pfd = {.fd = fd, .events = POLLIN};
		double left = deadline - dh_clock_seconds();
		ssize_t n;
		int r;

		r = left > 0 ? poll(&pfd, 1, (int)(left * 1000) + 1) : 0;
		if (r == 0)
			return -ETIMEDOUT;
		if (r < 0 && errno == EINTR)
			continue;
		n = r < 0 ? -1 : read(fd, (char *)ret + got, sizeof(*ret) - got);
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

/* What to say of a child that gave no result. */
static void explain_silence(struct dh_probe_result *r, ssize_t got, int status, unsigned limit)
{
	*r = (struct dh_probe_result){.health = DH_HEALTH_MISSING};
	if (got == -ETIMEDOUT)
		dh_probe_says(r, DH_HEALTH_MISSING, "no answer within %.0f s", limit / 1000.0);
	else if (WIFSIGNALED(status))
		dh_probe_says(r, DH_HEALTH_MISSING, "the attempt was ended by signal %d (%s)",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		dh_probe_says(r, DH_HEALTH_MISSING, "the attempt ended early");
	dh_probe_mend(r, "a security policy or an emulator may forbid it; try outside of it");
}

/* Ends the probe and whatever it left behind, and takes all of it off the process table: the
 * probe's orphans are our children for as long as we are their subreaper.  The wait status. */
static int end_group(pid_t pid)
{
	int status;

	kill(-pid, SIGKILL);
	kill(pid, SIGKILL); /* it may not have made its group yet */
	status = dh_probe_wait(pid);
	while (dh_probe_wait(-pid) >= 0)
		;
	return status;
}

void dh_probe_run(const struct dh_probe *p, struct dh_probe_result *ret)
{
	unsigned limit = p->limit_ms ? p->limit_ms : DH_PROBE_LIMIT_MS;
	double start = dh_clock_seconds();
	char scratch[512];
	int pipefd[2], status = 0;
	int was_reaper = 0;
	ssize_t got = -EIO;
	pid_t pid, self = getpid();

	*ret = (struct dh_probe_result){.health = DH_HEALTH_MISSING};
	if (pipe2(pipefd, O_CLOEXEC) < 0) {
		dh_probe_says(ret, DH_HEALTH_MISSING, "no pipe: %s", strerror(errno));
		return;
	}
	make_scratch(scratch, sizeof(scratch));
	prctl(PR_GET_CHILD_SUBREAPER, &was_reaper);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = fork();
	if (pid == 0)
		run_child(p, scratch, pipefd[1], self);
	close(pipefd[1]);
	if (pid > 0) {
		got = read_until(pipefd[0], ret, start + limit / 1000.0);
		status = end_group(pid);
	}
	prctl(PR_SET_CHILD_SUBREAPER, was_reaper);
	if (got != (ssize_t)sizeof(*ret))
		explain_silence(ret, got, status, limit);
	close(pipefd[0]);
	if (*scratch)
		dh_remove_tree(scratch);
	ret->seconds = dh_clock_seconds() - start;
}
