#include "fuzz/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "fuzz/block.h"
#include "fuzz/program.h"

/* Descriptors that the program inherits are high, out of the way of what it expects to get. */
#define FIRST_FD 200

/* "NAME=first:what is there already". */
static char *prepend(const char *name, const char *first)
{
	const char *old = getenv(name);

	return old && *old ? dh_asprintf("%s=%s:%s", name, first, old)
			   : dh_asprintf("%s=%s", name, first);
}

char **dh_launch_environment(const struct dh_program *p, int block_fd, bool preload)
{
	char **env = dh_new_n(char *, 5);
	size_t n = 0;

	env[n++] = prepend("LD_LIBRARY_PATH", p->stand_in);
	if (preload)
		env[n++] = prepend("LD_PRELOAD", p->library);
	env[n++] = dh_strdup("LD_BIND_NOW=1");
	if (block_fd >= 0)
		env[n++] = dh_asprintf("%s=%d", DH_SCHED_ENV, block_fd);
	env[n] = NULL;
	return env;
}

/* Above FIRST_FD, and inherited. */
static int inherit(int fd)
{
	return fcntl(fd, F_DUPFD, FIRST_FD);
}

static void put_on(int fd, int where)
{
	if (fd >= 0)
		dup2(fd, where);
}

/* Their numbers stand in the block and in the environment.  The words are never freed: exec ends
 * them. */
static void hand_over(const struct dh_launch *l, int in, int out)
{
	int fd = l->block ? inherit(l->block->fd) : -1;
	char **env = dh_launch_environment(l->program, fd, l->preload);

	if (l->block) {
		l->block->ctl->server_in = in < 0 ? -1 : inherit(in);
		l->block->ctl->server_out = out < 0 ? -1 : inherit(out);
	}
	for (size_t i = 0; env[i]; i++)
		putenv(env[i]);
}

static DH_NORETURN void child(const struct dh_launch *l, int in, int out)
{
	int null = l->input < 0 ? open("/dev/null", O_RDONLY) : -1;
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	personality(ADDR_NO_RANDOMIZE);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	put_on(l->input < 0 ? null : l->input, STDIN_FILENO);
	put_on(l->output, STDOUT_FILENO);
	put_on(l->errors, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
	hand_over(l, in, out);
	execv(l->program->path, l->argv);
	_exit(127);
}

struct pipes {
	int to_r, to_w, from_r, from_w;
};

static int make_pipes(struct pipes *p, struct dh_error *err)
{
	int a[2], b[2];

	if (pipe2(a, O_CLOEXEC) < 0)
		return dh_error_set(err, errno, "no pipe: %s", strerror(errno));
	if (pipe2(b, O_CLOEXEC) < 0) {
		int e = errno;

		close(a[0]);
		close(a[1]);
		return dh_error_set(err, e, "no pipe: %s", strerror(e));
	}
	*p = (struct pipes){a[0], a[1], b[0], b[1]};
	return 0;
}

static int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

int dh_launch(const struct dh_launch *l, struct dh_launched *ret, struct dh_error *err)
{
	struct pipes p = {-1, -1, -1, -1};
	struct dh_launched made = DH_LAUNCHED_INIT;
	int r = l->server ? make_pipes(&p, err) : 0;

	if (r < 0)
		return r;
	made.pid = fork();
	if (made.pid == 0)
		child(l, p.to_r, p.from_w);
	if (made.pid < 0)
		r = dh_error_set(err, errno, "cannot start a process: %s", strerror(errno));
	dh_closep(&p.to_r);
	dh_closep(&p.from_w);
	if (r < 0) {
		dh_closep(&p.to_w);
		dh_closep(&p.from_r);
		return r;
	}
	setpgid(made.pid, made.pid);
	made.to = p.to_w;
	made.from = l->server ? p.from_r : open_pidfd(made.pid);
	*ret = made;
	return 0;
}

static void close_pipes(struct dh_launched *l)
{
	dh_closep(&l->to);
	dh_closep(&l->from);
	*l = DH_LAUNCHED_INIT;
}

int dh_launched_wait(struct dh_launched *l)
{
	int status = -1;

	if (l->pid > 0) {
		while (waitpid(l->pid, &status, 0) < 0 && errno == EINTR)
			;
		/* What it left behind belongs to the run. */
		kill(-l->pid, SIGKILL);
	}
	close_pipes(l);
	return status;
}

/* One that is about to end by itself has a status that is worth knowing. */
static bool ended(pid_t pid, int *ret)
{
	const struct timespec pause = {0, 2000000};

	for (int i = 0; i < 50; i++) {
		if (waitpid(pid, ret, WNOHANG) == pid)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

int dh_launched_kill(struct dh_launched *l, pid_t run)
{
	int status = -1;

	if (l->pid > 0 && run > 0)
		dh_launched_kill_run(l, run);
	dh_closep(&l->to); /* a server takes that as the end */
	l->to = -1;
	if (l->pid > 0 && !ended(l->pid, &status)) {
		kill(-l->pid, SIGKILL);
		kill(l->pid, SIGKILL);
		while (waitpid(l->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close_pipes(l);
	return status;
}

/* Field 4 of /proc/PID/stat, behind the name, which may hold anything; 0: no such process. */
static pid_t parent_of(pid_t pid)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	char path[32];
	const char *end;
	int parent;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (dh_read_file(path, 4096, &text, NULL) < 0)
		return 0;
	end = strrchr(dh_buf_str(&text), ')');
	return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

void dh_launched_kill_run(const struct dh_launched *l, pid_t run)
{
	if (run <= 1 || parent_of(run) != l->pid)
		return;
	if (getpgid(run) == run)
		kill(-run, SIGKILL);
	kill(run, SIGKILL);
}

/* " 12 345 "; nothing where the kernel does not tell. */
static void children(struct dh_buf *ret)
{
	struct dh_error err;

	dh_buf_add(ret, " ", 1);
	dh_read_file("/proc/thread-self/children", 1 << 16, ret, &err);
}

void dh_launch_adopt(struct dh_buf *ret)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	children(ret);
}

/* Ends those that came since; how many. */
static unsigned end_new(const struct dh_buf *before)
{
	DH_BUF struct dh_buf now = DH_BUF_INIT;
	unsigned ended = 0;
	char *next;

	children(&now);
	for (const char *at = dh_buf_str(&now); *at; at = next) {
		long pid = strtol(at, &next, 10);
		char word[32];

		if (next == at)
			break;
		snprintf(word, sizeof(word), " %ld ", pid);
		if (strstr(dh_buf_str(before), word))
			continue;
		kill((pid_t)pid, SIGKILL);
		ended += waitpid((pid_t)pid, NULL, 0) == pid;
	}
	return ended;
}

void dh_launch_end_adopted(const struct dh_buf *before)
{
	/* What they had started comes to us in turn. */
	while (end_new(before))
		;
}
