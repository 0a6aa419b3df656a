#include "fuzz/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/fd.h"
#include "fuzz/launch.h"
#include "fuzz/program.h"

#define READY_SECONDS 30

struct dh_server {
	struct dh_server_options o;
	struct dh_block block;
	struct dh_launched process; /* the server, or the run itself when there is none */
	int out, err;               /* files */
	bool forks, running;
	double began;
	uint64_t heartbeat;
	double moved; /* when the heartbeat was last seen to grow */
};

static volatile sig_atomic_t stopped;

void dh_server_stop_all(int sig)
{
	(void)sig;
	stopped = 1;
}

bool dh_server_stopped(void)
{
	return stopped;
}

void dh_server_go_on(void)
{
	stopped = 0;
}

static int open_files(struct dh_server *s, struct dh_error *err)
{
	s->out = memfd_create("deadheat-stdout", MFD_CLOEXEC);
	s->err = memfd_create("deadheat-stderr", MFD_CLOEXEC);
	if (s->out < 0 || s->err < 0)
		return dh_error_set(err, errno, "cannot keep the output: %s", strerror(errno));
	return 0;
}

static void rewind_files(struct dh_server *s)
{
	const int files[] = {s->out, s->err};

	for (size_t i = 0; i < 2; i++) {
		if (ftruncate(files[i], 0) == 0)
			lseek(files[i], 0, SEEK_SET);
	}
	if (s->o.input >= 0)
		lseek(s->o.input, 0, SEEK_SET);
}

static int launch(struct dh_server *s, bool server, struct dh_error *err)
{
	struct dh_launch l = {.program = s->o.program,
		.argv = s->o.argv,
		.input = s->o.input,
		.output = s->out,
		.errors = s->err,
		.block = &s->block,
		.server = server,
		.preload = s->o.preload};

	return dh_launch(&l, &s->process, err);
}

/* What kept the program from reporting that it is ready. */
static int not_ready(struct dh_server *s, int r, int status, struct dh_error *err)
{
	const struct dh_sched_ctl *c = s->block.ctl;
	DH_BUF struct dh_buf text = DH_BUF_INIT;

	if (c->runtime_version && c->runtime_version != DH_SCHED_VERSION)
		return dh_error_set(err, EPROTO,
			"the program loads a runtime of another version of deadheat (%u, this one "
			"is %u); link it again with 'deadheat cc'",
			c->runtime_version, DH_SCHED_VERSION);
	if (r == -ETIMEDOUT)
		return dh_error_set(err, ETIMEDOUT,
			"the program did not reach main within %d s: something in its "
			"constructors waits",
			READY_SECONDS);
	dh_server_output(s, 2, 300, &text);
	for (size_t i = 0; i < text.len; i++) {
		if ((unsigned char)text.data[i] < ' ')
			text.data[i] = ' ';
	}
	if (!c->claimed && WIFEXITED(status) && WEXITSTATUS(status) != 127)
		return dh_error_set(err, ENOTSUP,
			"%s never loaded deadheat's runtime: it was not built with 'deadheat cc' "
			"nor with gcc -fsanitize=thread%s%s",
			s->o.argv[0], text.len ? "; it said: " : "", dh_buf_str(&text));
	return dh_error_set(err, ENOEXEC, "%s did not start (%s %d)%s%s", s->o.argv[0],
		WIFSIGNALED(status) ? "signal" : "exit status",
		WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
		text.len ? "; it said: " : "", dh_buf_str(&text));
}

/* 0 when the first message came. */
static int wait_ready(struct dh_server *s, struct dh_error *err)
{
	struct dh_sched_status ready;
	struct pollfd p = {s->process.from, POLLIN, 0};
	double end = dh_clock_seconds() + READY_SECONDS;
	int r, status = 0;

	do {
		r = poll(&p, 1, DH_SERVER_TICK);
	} while ((r == 0 || (r < 0 && errno == EINTR)) && dh_clock_seconds() < end && !stopped);
	if (stopped)
		return dh_error_set(err, EINTR, "interrupted");
	if (r > 0 && read(s->process.from, &ready, sizeof(ready)) == sizeof(ready))
		return 0;
	status = dh_launched_kill(&s->process, 0);
	return not_ready(s, r > 0 ? -EPIPE : -ETIMEDOUT, status, err);
}

static int start_server(struct dh_server *s, struct dh_error *err)
{
	int r = launch(s, true, err);

	if (r < 0)
		return r;
	r = wait_ready(s, err);
	if (r == 0 && s->block.ctl->no_server) {
		dh_launched_kill(&s->process, 0);
		return 0;
	}
	s->forks = r == 0;
	return r;
}

int dh_server_start(const struct dh_server_options *o, struct dh_server **ret, struct dh_error *err)
{
	struct dh_server *s = dh_new(struct dh_server);
	int r;

	s->o = *o;
	s->block = DH_BLOCK_INIT;
	s->process = DH_LAUNCHED_INIT;
	s->out = s->err = -1;
	r = dh_block_make(&s->block, err);
	if (r == 0)
		r = open_files(s, err);
	if (r == 0 && !o->no_server)
		r = start_server(s, err);
	if (r < 0) {
		dh_server_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

void dh_server_free(struct dh_server *s)
{
	if (!s)
		return;
	dh_launched_kill(&s->process, s->running && s->forks ? (pid_t)s->block.ctl->child : 0);
	dh_closep(&s->out);
	dh_closep(&s->err);
	dh_block_release(&s->block);
	free(s);
}

int dh_server_begin(struct dh_server *s, const struct dh_order *order, struct dh_error *err)
{
	uint32_t command = DH_SCHED_RUN;
	int r = dh_block_ask(&s->block, &order->ask, order->targets, order->n_targets, order->steps,
		order->n_steps);

	if (r < 0)
		return dh_error_set(err, -r, "the schedule is too long");
	s->block.ctl->outcome.end = DH_END_NONE;
	s->block.ctl->child = 0;
	rewind_files(s);
	s->began = s->moved = dh_clock_seconds();
	s->heartbeat = s->block.ctl->heartbeat;
	if (!s->forks) {
		s->block.ctl->claimed = 0;
		r = launch(s, false, err);
	} else if (dh_write_full(s->process.to, &command, sizeof(command)) < 0) {
		r = dh_error_set(err, EPIPE, "the program under test was killed");
	}
	s->running = r == 0;
	return r;
}

int dh_server_fd(const struct dh_server *s)
{
	return s->process.from;
}

static enum dh_run_cut must_end(struct dh_server *s, double t)
{
	const int files[] = {s->out, s->err};
	uint64_t beat = s->block.ctl->heartbeat;
	struct stat st;

	if (beat != s->heartbeat) {
		s->heartbeat = beat;
		s->moved = t;
	}
	for (size_t i = 0; i < 2; i++) {
		if (fstat(files[i], &st) == 0 && (size_t)st.st_size > s->o.max_output)
			return DH_CUT_OUTPUT;
	}
	if (stopped)
		return DH_CUT_STOP;
	return t - s->began > s->o.timeout ? DH_CUT_TIME : DH_CUT_NONE;
}

static void hash_output(struct dh_server *s, struct dh_run *ret)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;

	dh_server_output(s, 1, s->o.max_output, &text);
	ret->output_size = text.len;
	ret->output_hash = XXH3_64bits(dh_buf_str(&text), text.len);
}

static void collect(struct dh_server *s, int status, enum dh_run_cut cut, struct dh_run *ret)
{
	s->running = false;
	ret->status = status;
	ret->cut = cut;
	ret->seconds = dh_clock_seconds() - s->began;
	ret->moving = dh_clock_seconds() - s->moved < s->o.timeout / 2;
	dh_block_result(&s->block, &ret->result);
	dh_block_outcome(&s->block, &ret->outcome);
	ret->n_hits = dh_block_hits(&s->block, ret->hits);
	hash_output(s, ret);
}

/* The answer of a server to a run, also to one that was just killed. */
static int read_status(struct dh_server *s, int *ret, struct dh_error *err)
{
	struct dh_sched_status st;
	ssize_t n;

	do {
		n = read(s->process.from, &st, sizeof(st));
	} while (n < 0 && errno == EINTR);
	if (n != sizeof(st))
		return dh_error_set(err, EPIPE, "the program under test was killed");
	*ret = st.status;
	return 0;
}

static bool readable(int fd)
{
	struct pollfd p = {fd, POLLIN, 0};

	return poll(&p, 1, 0) > 0;
}

int dh_server_poll(struct dh_server *s, struct dh_run *ret, struct dh_error *err)
{
	bool over = readable(s->process.from);
	enum dh_run_cut cut = over ? DH_CUT_NONE : must_end(s, dh_clock_seconds());
	int status = -1, r = 0;

	if (!over && cut == DH_CUT_NONE)
		return 0;
	if (!s->forks) {
		status = cut ? dh_launched_kill(&s->process, 0) : dh_launched_wait(&s->process);
	} else {
		if (cut)
			dh_launched_kill_run(&s->process, (pid_t)s->block.ctl->child);
		r = read_status(s, &status, err);
	}
	if (r < 0)
		return r;
	collect(s, status, cut, ret);
	return 1;
}

int dh_server_run(
	struct dh_server *s, const struct dh_order *order, struct dh_run *ret, struct dh_error *err)
{
	struct pollfd p = {.events = POLLIN};
	int r = dh_server_begin(s, order, err);

	while (r == 0) {
		p.fd = dh_server_fd(s);
		poll(&p, 1, DH_SERVER_TICK);
		r = dh_server_poll(s, ret, err);
	}
	return r < 0 ? r : 0;
}

void dh_server_timeout(struct dh_server *s, double seconds)
{
	s->o.timeout = seconds;
}

struct dh_block *dh_server_block(struct dh_server *s)
{
	return &s->block;
}

int dh_server_stream(const struct dh_server *s, int stream)
{
	return stream == 1 ? s->out : s->err;
}

/* Appends up to want bytes from an offset on. */
static void read_at(int fd, off_t from, size_t want, struct dh_buf *ret)
{
	char *to = dh_buf_reserve(ret, want);
	size_t got = 0;

	while (got < want) {
		ssize_t n = pread(fd, to + got, want - got, from + (off_t)got);

		if (n <= 0)
			break;
		got += (size_t)n;
	}
	ret->len += got;
	ret->data[ret->len] = 0;
}

void dh_server_output(const struct dh_server *s, int stream, size_t max, struct dh_buf *ret)
{
	int fd = dh_server_stream(s, stream);
	struct stat st;

	if (fstat(fd, &st) == 0 && st.st_size > 0)
		read_at(fd, 0, DH_MIN((size_t)st.st_size, max), ret);
}

void dh_server_tail(const struct dh_server *s, int stream, size_t max, struct dh_buf *ret)
{
	int fd = dh_server_stream(s, stream);
	struct stat st;

	if (fstat(fd, &st) == 0 && st.st_size > 0)
		read_at(fd, DH_MAX(st.st_size - (off_t)max, 0), DH_MIN((size_t)st.st_size, max),
			ret);
}

const char *dh_server_program(const struct dh_server *s, char *ret, size_t size)
{
	char link[32];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)s->process.pid);
	n = s->forks ? readlink(link, ret, size - 1) : -1;
	if (n <= 0)
		return s->o.program->path;
	ret[n] = 0;
	return ret;
}

pid_t dh_server_pid(const struct dh_server *s)
{
	return s->forks ? s->process.pid : 0;
}

bool dh_server_forks(const struct dh_server *s)
{
	return s->forks;
}
