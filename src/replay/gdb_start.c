/* Starting gdb and letting it connect. */
#include "replay/gdb.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"

/* What makes gdb a good guest: files are here, not "on the target", and nothing can be changed. */
static const char *const setup[] = {
	"set sysroot",
	"set displaced-stepping off",
	"set may-call-functions off",
	"set may-write-memory off",
	"set remote hardware-watchpoint-limit 3",
	"set remote hardware-breakpoint-limit 3",
};

struct place {
	char dir[PATH_MAX];
	struct sockaddr_un address;
	int fd;
};

static void leave(struct place *p)
{
	unlink(p->address.sun_path);
	rmdir(p->dir);
	dh_closep(&p->fd);
}

static int listen_at(struct place *p, struct dh_error *err)
{
	const char *tmp = getenv("TMPDIR");
	int n;

	*p = (struct place){.address.sun_family = AF_UNIX, .fd = -1};
	/* A socket's path is short; a deep TMPDIR would not fit. */
	if (!tmp || !*tmp || strlen(tmp) > 60)
		tmp = "/tmp";
	snprintf(p->dir, sizeof(p->dir), "%s/deadheat-XXXXXX", tmp);
	if (!mkdtemp(p->dir))
		return dh_error_set(err, errno, "%s: %s", p->dir, strerror(errno));
	n = snprintf(p->address.sun_path, sizeof(p->address.sun_path), "%s/gdb", p->dir);
	p->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (n >= (int)sizeof(p->address.sun_path) || p->fd < 0 ||
		bind(p->fd, (struct sockaddr *)&p->address, sizeof(p->address)) < 0 ||
		listen(p->fd, 1) < 0) {
		n = dh_error_set(err, errno, "cannot open a socket for gdb in %s: %s", p->dir,
			strerror(errno));
		leave(p);
		return n;
	}
	return 0;
}

static void run_gdb(const struct place *p, char *const *args)
{
	char *argv[2 * DH_ARRAY_SIZE(setup) + 256], *connect_to;
	cpu_set_t all;
	size_t n = 0;

	argv[n++] = (char *)"gdb";
	argv[n++] = (char *)"-q";
	for (size_t i = 0; i < DH_ARRAY_SIZE(setup); i++) {
		argv[n++] = (char *)"-ex";
		argv[n++] = (char *)setup[i];
	}
	connect_to = dh_asprintf("target remote %s", p->address.sun_path);
	argv[n++] = (char *)"-ex";
	argv[n++] = connect_to;
	for (; args && *args && n + 1 < DH_ARRAY_SIZE(argv); args++)
		argv[n++] = *args;
	argv[n] = NULL;
	/* The replayer keeps to one processor; gdb need not. */
	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGIO, SIG_DFL);
	execvp(argv[0], argv);
	_exit(127);
}

/* gdb may end before it connects: not installed, a mistake in its arguments. */
static int wait_for_connection(struct dh_gdb *g, struct place *p, struct dh_error *err)
{
	struct pollfd poll_fd = {.fd = p->fd, .events = POLLIN};

	while (poll(&poll_fd, 1, 100) <= 0) {
		if (waitpid(g->child, &g->status, WNOHANG) != g->child)
			continue;
		g->child = 0;
		if (WIFEXITED(g->status) && WEXITSTATUS(g->status) == 127)
			return dh_error_set(err, ENOENT,
				"gdb cannot be executed; install it (Debian: apt install gdb)");
		return dh_error_set(err, EIO, "gdb ended before it was connected");
	}
	g->fd = accept4(p->fd, NULL, NULL, SOCK_CLOEXEC);
	if (g->fd < 0)
		return dh_error_set(err, errno, "accept: %s", strerror(errno));
	return 0;
}

int dh_gdb_start(struct dh_gdb *g, char *const *args, struct dh_error *err)
{
	struct place p;
	int e = listen_at(&p, err);

	if (e < 0)
		return e;
	fflush(NULL);
	g->child = fork();
	if (g->child == 0)
		run_gdb(&p, args);
	if (g->child < 0)
		e = dh_error_set(err, errno, "fork: %s", strerror(errno));
	else
		e = wait_for_connection(g, &p, err);
	leave(&p);
	if (e < 0)
		return e;
	dh_gdb_watch_input(g);
	return 0;
}

int dh_gdb_wait(struct dh_gdb *g)
{
	dh_closep(&g->fd);
	while (g->child > 0) {
		if (waitpid(g->child, &g->status, 0) == g->child || errno != EINTR)
			g->child = 0;
	}
	return g->status;
}

void dh_gdb_close(struct dh_gdb *g)
{
	dh_closep(&g->fd);
	dh_buf_release(&g->in);
}
