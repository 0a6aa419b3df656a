/* The outside of a sandbox: starting it, what comes out of it, its end, and what killed ones left.
 */
#include "sandbox/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "sandbox/internal.h"

#define PREFIX "deadheat-sandbox-"
#define TRIES  100
/* Below the least limit that is usual, and above what programs get to. */
#define ASIDE 30000

struct dh_sandbox {
	pid_t pid;
	int pidfd, lock_fd;
	int out[2];  /* read ends of its standard output and error */
	int said_fd; /* what went wrong before the body */
	char *base;
	bool ended;
	int status;
};

/* What the child inherits and the parent closes. */
struct ends {
	int go[2], said[2], out[2], err[2];
};

/* 0: *ret_lock is held.  -EAGAIN: somebody else's sweep has come between creation and lock. */
static int lock_base(const char *base, int *ret_lock)
{
	DH_FD int fd = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return errno == ENOENT ? -EAGAIN : -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? -EAGAIN : -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!st.st_nlink)
		return -EAGAIN;
	*ret_lock = fd;
	fd = -1;
	return 0;
}

static int make_base(const char *place, char **ret_base, int *ret_lock, struct dh_error *err)
{
	int r = -EAGAIN;

	for (int i = 0; r == -EAGAIN && i < TRIES; i++) {
		DH_FREE char *base = dh_asprintf("%s/" PREFIX "XXXXXX", place);

		if (!mkdtemp(base)) {
			r = -errno;
			break;
		}
		r = lock_base(base, ret_lock);
		if (r == 0) {
			*ret_base = base;
			base = NULL;
			return 0;
		}
		rmdir(base);
	}
	return dh_error_set(err, -r, "no place for a sandbox in %s: %s", place, strerror(-r));
}

/* Everybody's directory for temporary files has one for sandboxes, so that others do not appear
 * in there while one runs. */
static char *own_place(bool on_disk)
{
	const char *tmp = on_disk ? "/var/tmp" : getenv("TMPDIR");
	DH_FREE char *place = NULL;
	struct stat st;

	if (!tmp || *tmp != '/')
		tmp = "/tmp";
	place = dh_asprintf("%s/.deadheat-sandboxes-%u", tmp, (unsigned)geteuid());
	mkdir(place, 0700);
	/* Somebody else may have been there first. */
	if (lstat(place, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
		!(st.st_mode & 077)) {
		char *own = place;

		place = NULL;
		return own;
	}
	return NULL;
}

static int find_place(const struct dh_sandbox_options *opt, struct dh_sandbox_build *b,
	char **ret_base, int *ret_lock, struct dh_error *err)
{
	DH_FREE char *own = opt->place ? NULL : own_place(opt->on_disk);

	b->hide_place = own != NULL;
	return make_base(opt->place ? opt->place : own ? own : "/tmp", ret_base, ret_lock, err);
}

static void reset_signals(void)
{
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void set_streams(const struct dh_sandbox_options *opt, const struct ends *e)
{
	int in = opt->stdin_fd >= 0 ? opt->stdin_fd : open("/dev/null", O_RDONLY | O_CLOEXEC);

	dup2(in, STDIN_FILENO);
	dup2(e->out[1], STDOUT_FILENO);
	dup2(e->err[1], STDERR_FILENO);
	close(e->out[0]);
	close(e->err[0]);
	close(e->out[1]);
	close(e->err[1]);
	close(e->said[0]);
	close(e->go[1]);
}

static DH_NORETURN void complain(int fd, const struct dh_error *err)
{
	/* A partial text is still a text. */
	if (write(fd, err, sizeof(*err)) < 0)
		_exit(126);
	_exit(127);
}

static DH_NORETURN void run_inside(struct dh_sandbox_build *b, const struct ends *e)
{
	struct timespec now;
	char byte;
	int r;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Nothing comes when the starter is gone already. */
	if (read(e->go[0], &byte, 1) != 1)
		_exit(127);
	setsid();
	reset_signals();
	set_streams(b->opt, e);
	dh_sandbox_loopback_up();
	mode_t mask = umask(0);

	r = dh_sandbox_mount_all(b);
	umask(mask);
	if (r < 0) {
		if (!b->err->code)
			dh_error_set(b->err, -r, "no sandbox: %s", strerror(-r));
		complain(e->said[1], b->err);
	}
	close(e->said[1]);
	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	b->inside.began_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	_exit(b->opt->body(b->opt->cookie, &b->inside) & 0xff);
}

static int open_ends(struct ends *e)
{
	if (pipe2(e->go, O_CLOEXEC) < 0 || pipe2(e->said, O_CLOEXEC) < 0 ||
		pipe2(e->out, O_CLOEXEC) < 0 || pipe2(e->err, O_CLOEXEC) < 0)
		return -errno;
	fcntl(e->out[0], F_SETFL, O_NONBLOCK);
	fcntl(e->err[0], F_SETFL, O_NONBLOCK);
	return 0;
}

static void close_ends(struct ends *e)
{
	int *all = (int *)e;

	for (size_t i = 0; i < sizeof(*e) / sizeof(int); i++)
		dh_closep(&all[i]);
}

/* In the parent: names users, lets the child go. */
static int release_child(pid_t pid, bool userns, int go, struct dh_error *err)
{
	int r = userns ? dh_sandbox_map_ids(pid, err) : 0;

	if (r == 0 && write(go, "x", 1) != 1)
		r = -EPIPE;
	if (r < 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	return r;
}

static int launch(
	struct dh_sandbox *s, struct dh_sandbox_build *b, struct ends *e, struct dh_error *err)
{
	pid_t pid = dh_sandbox_fork(&b->inside.userns, err);
	int r;

	if (pid < 0)
		return pid;
	if (pid == 0)
		run_inside(b, e);
	r = release_child(pid, b->inside.userns, e->go[1], err);
	if (r < 0)
		return r;
	s->pid = pid;
	s->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	s->out[0] = e->out[0];
	s->out[1] = e->err[0];
	s->said_fd = e->said[0];
	e->out[0] = e->err[0] = e->said[0] = -1;
	return 0;
}

int dh_sandbox_start(
	const struct dh_sandbox_options *opt, struct dh_sandbox **ret, struct dh_error *err)
{
	struct dh_error inner = DH_ERROR_INIT;
	struct dh_sandbox_build b = {.opt = opt, .err = &inner};
	struct ends e = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
	struct dh_sandbox *s = dh_new(struct dh_sandbox);
	int r;

	s->pidfd = s->lock_fd = s->out[0] = s->out[1] = s->said_fd = -1;
	b.inside.last_pid_fd = b.inside.upper_fd = -1;
	r = find_place(opt, &b, &s->base, &s->lock_fd, err);
	if (r == 0) {
		b.base = s->base;
		if (opt->cwd)
			snprintf(b.cwd, sizeof(b.cwd), "%s", opt->cwd);
		else if (!getcwd(b.cwd, sizeof(b.cwd)))
			r = dh_error_set(err, errno, "no working directory: %s", strerror(errno));
	}
	if (r == 0 && (r = open_ends(&e)) < 0)
		dh_error_set(err, -r, "no pipes: %s", strerror(-r));
	if (r == 0)
		r = launch(s, &b, &e, err);
	close_ends(&e);
	if (r < 0) {
		dh_sandbox_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

int dh_sandbox_output(const struct dh_sandbox *s, int which)
{
	return s->out[which];
}

int dh_sandbox_poll_fd(const struct dh_sandbox *s)
{
	return s->pidfd;
}

void dh_sandbox_kill(struct dh_sandbox *s)
{
	if (s->pid > 0 && !s->ended)
		kill(s->pid, SIGKILL);
}

int dh_sandbox_wait(struct dh_sandbox *s, int *ret_status, struct dh_error *err)
{
	struct dh_error said = DH_ERROR_INIT;

	while (!s->ended) {
		if (waitpid(s->pid, &s->status, 0) == s->pid)
			s->ended = true;
		else if (errno != EINTR)
			return dh_error_set(err, errno, "the sandbox is lost: %s", strerror(errno));
	}
	if (dh_read_full(s->said_fd, &said, sizeof(said)) == sizeof(said)) {
		said.text[sizeof(said.text) - 1] = '\0';
		return dh_error_set(err, said.code > 0 ? said.code : EIO, "%s", said.text);
	}
	*ret_status = s->status;
	return 0;
}

static int make_readable(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)ftw;
	if (type == FTW_DNR || (type == FTW_D && (st->st_mode & 0700) != 0700))
		chmod(path, 0700);
	return 0;
}

/* Overlays keep directories that nobody may read, and a program may make some: level by level. */
static int remove_base(const char *base)
{
	int r = dh_remove_tree(base);

	for (int i = 0; i < 64 && r < 0; i++) {
		nftw(base, make_readable, 16, FTW_PHYS);
		r = dh_remove_tree(base);
	}
	return r;
}

void dh_sandbox_free(struct dh_sandbox *s)
{
	int status;

	if (!s)
		return;
	dh_sandbox_kill(s);
	if (s->pid > 0)
		dh_sandbox_wait(s, &status, NULL);
	if (s->base)
		remove_base(s->base);
	dh_closep(&s->pidfd);
	dh_closep(&s->lock_fd);
	dh_closep(&s->out[0]);
	dh_closep(&s->out[1]);
	dh_closep(&s->said_fd);
	free(s->base);
	free(s);
}

/* A lock that can be taken has no owner: its sandbox is gone. */
static bool remove_stale(int dir, const char *place, const char *name)
{
	DH_FREE char *path = dh_asprintf("%s/%s", place, name);
	DH_FD int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_uid != geteuid() ||
		flock(fd, LOCK_EX | LOCK_NB) < 0)
		return false;
	return remove_base(path) == 0;
}

int dh_sandbox_sweep(const char *place)
{
	DH_FREE char *own = place ? NULL : own_place(false);
	const char *where = place ? place : own ? own : "/tmp";
	DIR *d = opendir(where);
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)))
		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) == 0)
			n += remove_stale(dirfd(d), where, e->d_name);
	if (d)
		closedir(d);
	return n;
}

int dh_sandbox_next_pid(const struct dh_sandbox_inside *inside, pid_t pid)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%d", pid - 1);

	if (inside->last_pid_fd < 0)
		return -ENOTSUP;
	return pwrite(inside->last_pid_fd, text, (size_t)n, 0) == n ? 0 : -errno;
}

pid_t dh_sandbox_fork_aside(const struct dh_sandbox_inside *inside)
{
	char text[16] = "";
	int last = 0, saved;
	pid_t pid;

	if (inside->last_pid_fd >= 0 && pread(inside->last_pid_fd, text, sizeof(text) - 1, 0) > 0)
		last = atoi(text);
	if (last > 0 && last < ASIDE)
		dh_sandbox_next_pid(inside, ASIDE);
	pid = fork();
	saved = errno;
	if (pid != 0 && last > 0 && last < ASIDE)
		dh_sandbox_next_pid(inside, last + 1);
	return pid < 0 ? -saved : pid;
}
