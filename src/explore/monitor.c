#include "explore/monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "proc/tsc.h"
#include "sandbox/sandbox.h"

/* Between two commands: what they look at changes with the speed of processes, not of calls. */
#define PAUSE_MS 2
/* So long a command may take to end when it is asked to. */
#define TERM_MS 500

struct dh_monitor {
	pid_t pid;
	int over_fd; /* closed: the program is over */
};

/* In the process between. */
struct watch {
	const struct dh_monitor_options *opt;
	int over_fd;
	int ready_fd; /* closed when the first command executes */
};

static DH_NORETURN void command_child(const struct watch *w, int out)
{
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	setsid();
	dh_sandbox_confine(w->opt->inside);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execl("/bin/sh", "sh", "-c", w->opt->command, (char *)NULL);
	_exit(127);
}

/* The command's pid and what it says, or -errno. */
static pid_t start_command(struct watch *w, int *ret_out)
{
	int p[2];
	pid_t pid;

	if (pipe2(p, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	pid = dh_sandbox_fork_aside(w->opt->inside);
	if (pid == 0)
		command_child(w, p[1]);
	close(p[1]);
	dh_closep(&w->ready_fd);
	if (pid < 0)
		close(p[0]);
	else
		*ret_out = p[0];
	return pid;
}

/* False: there will be no more. */
static bool take_output(struct dh_monitor_result *res, int fd)
{
	char drop[4096];

	for (;;) {
		size_t room = sizeof(res->out) - 1 - res->len;
		ssize_t n = read(fd, room ? res->out + res->len : drop, room ? room : sizeof(drop));

		if (n <= 0)
			return n < 0 && (errno == EAGAIN || errno == EINTR);
		if (room)
			res->len += (uint32_t)n;
	}
}

static void stop_command(pid_t pid, int pidfd)
{
	struct pollfd p = {.fd = pidfd, .events = POLLIN};

	kill(-pid, SIGTERM);
	poll(&p, 1, TERM_MS);
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL); /* it may not have a group of its own yet */
	waitpid(pid, NULL, 0);
}

/* Whether the command has ended before the program. */
static bool wait_for_command(struct watch *w, int pidfd, int out)
{
	struct pollfd p[] = {{.fd = pidfd, .events = POLLIN}, {.fd = out, .events = POLLIN},
		{.fd = w->over_fd, .events = POLLIN}};

	for (;;) {
		poll(p, DH_ARRAY_SIZE(p), -1);
		if (p[0].revents)
			return true;
		if (p[2].revents)
			return false;
		if (p[1].revents && !take_output(w->opt->result, out))
			p[1].fd = -1;
	}
}

/* One command: whether there is to be another one. */
static bool run_command(struct watch *w)
{
	struct dh_monitor_result *res = w->opt->result;
	DH_FD int out = -1, pidfd = -1;
	pid_t pid;
	int status;

	res->len = 0;
	pid = start_command(w, &out);
	if (pid < 0)
		return false;
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (pidfd < 0 || !wait_for_command(w, pidfd, out)) {
		stop_command(pid, pidfd);
		return false;
	}
	take_output(res, out);
	if (waitpid(pid, &status, 0) != pid)
		return false;
	res->status = status;
	res->runs++;
	return status == 0;
}

static DH_NORETURN void watch(struct watch *w)
{
	struct pollfd over = {.fd = w->over_fd, .events = POLLIN};
	sigset_t all;

	/* What the program signals to everybody is not for this one. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	dh_tsc_regain();
	sched_setaffinity(0, sizeof(*w->opt->cpus), w->opt->cpus);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	while (run_command(w) && poll(&over, 1, PAUSE_MS) == 0)
		while (waitpid(-1, NULL, WNOHANG) > 0)
			; /* what the command has left behind */
	_exit(0);
}

/* Until the command executes, its end of the pipe is open. */
static void wait_until_ready(int fd)
{
	char c;

	while (read(fd, &c, 1) < 0 && errno == EINTR)
		;
}

int dh_monitor_start(const struct dh_monitor_options *opt, struct dh_monitor **ret)
{
	int over[2], ready[2];
	pid_t pid;

	if (pipe2(over, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(ready, O_CLOEXEC) < 0) {
		int e = -errno;

		close(over[0]);
		close(over[1]);
		return e;
	}
	pid = dh_sandbox_fork_aside(opt->inside);
	if (pid == 0) {
		struct watch w = {.opt = opt, .over_fd = over[0], .ready_fd = ready[1]};

		close(over[1]);
		close(ready[0]);
		watch(&w);
	}
	close(over[0]);
	close(ready[1]);
	if (pid > 0) {
		*ret = dh_new(struct dh_monitor);
		**ret = (struct dh_monitor){.pid = pid, .over_fd = over[1]};
		wait_until_ready(ready[0]);
	} else {
		close(over[1]);
	}
	close(ready[0]);
	return pid < 0 ? pid : 0;
}

void dh_monitor_end(struct dh_monitor *m)
{
	if (!m)
		return;
	close(m->over_fd);
	/* The recorder may have met its end already. */
	while (waitpid(m->pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(m);
}
