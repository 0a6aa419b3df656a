#include "explore/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "explore/enforce.h"
#include "explore/monitor.h"
#include "record/record.h"
#include "sandbox/sandbox.h"

#define OUTPUT_MAX    (4u << 20) /* of each stream */
#define CHECK_SECONDS 60
#define CHECK_OUT_MAX DH_MONITOR_OUT_MAX
#define PROCESSES_MAX 8192
#define WAITING_MS    300
#define WARNINGS_MAX  16
#define WARNING_SIZE  400
/* What a command has left running goes on for so long when the command itself has ended. */
#define GRACE 2.0

/* Written inside, read outside. */
struct report {
	struct dh_outcome outcome; /* no pointers in it are used */
	bool written;
	int check_status;
	struct dh_monitor_result during;
	uint32_t check_len;
	char check_out[CHECK_OUT_MAX];
	uint32_t n_warnings;
	char warnings[WARNINGS_MAX][WARNING_SIZE];
	uint32_t n_processes;
	struct dh_outcome_process processes[PROCESSES_MAX];
};

struct dh_run {
	struct dh_run_options opt;
	struct dh_sandbox *sandbox;
	struct report *report; /* shared memory */
	int dir_fd, input_fd;
	struct dh_buf out[2];
	uint64_t lost;
	bool open[2];
};

/* Inside */

struct inside {
	const struct dh_sandbox_inside *sandbox;
	struct dh_run *run;
	struct dh_monitor *monitor;
	int monitor_error; /* -errno: it could not be started */
	cpu_set_t cpus;    /* before the recorder chooses one */
};

static void confine(void *cookie)
{
	struct inside *in = cookie;

	dh_sandbox_confine(in->sandbox);
}

static void next_pid(void *cookie, pid_t pid)
{
	struct inside *in = cookie;

	dh_sandbox_next_pid(in->sandbox, pid);
}

/* From its first process on, nothing inside may look into this one, which has descriptors of the
 * world outside. */
static void begun(void *cookie)
{
	(void)cookie;
	prctl(PR_SET_DUMPABLE, 0);
}

static void start_monitor(void *cookie)
{
	struct inside *in = cookie;
	struct dh_monitor_options mo = {.command = in->run->opt.during,
		.inside = in->sandbox,
		.cpus = &in->cpus,
		.result = &in->run->report->during};

	if (!in->monitor)
		in->monitor_error = dh_monitor_start(&mo, &in->monitor);
}

static void end_monitor(void *cookie)
{
	struct inside *in = cookie;

	dh_monitor_end(in->monitor);
	in->monitor = NULL;
}

/* A socket file that was there before belongs to a service outside, which must not notice. */
static int refuse(void *cookie, const struct dh_gate_call *c)
{
	struct inside *in = cookie;
	struct sockaddr_un to = {0};
	size_t n = DH_MIN((size_t)c->call.arg[2], sizeof(to) - 1);
	char path[4096];
	struct stat st;

	if (c->call.nr != SYS_connect || n <= offsetof(struct sockaddr_un, sun_path) ||
		c->call.read(c->call.cookie, c->call.arg[1], &to, n) < 0 ||
		to.sun_family != AF_UNIX || !to.sun_path[0])
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/%s/%s", c->pid,
		to.sun_path[0] == '/' ? "root" : "cwd", to.sun_path);
	return stat(path, &st) == 0 && S_ISSOCK(st.st_mode) &&
			       !dh_sandbox_made_inside(in->sandbox, &st)
		       ? ECONNREFUSED
		       : 0;
}

static uint64_t hash_file(const char *path)
{
	DH_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	XXH3_state_t *state;
	char buf[65536];
	uint64_t hash;
	ssize_t n;

	if (fd < 0)
		return 0;
	state = XXH3_createState();
	XXH3_64bits_reset(state);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		XXH3_64bits_update(state, buf, (size_t)n);
	hash = XXH3_64bits_digest(state);
	XXH3_freeState(state);
	return hash ? hash : 1;
}

static DH_NORETURN void check_child(struct inside *in, int out)
{
	dh_sandbox_confine(in->sandbox);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	alarm(CHECK_SECONDS); /* survives the exec */
	execl("/bin/sh", "sh", "-c", in->run->opt.check, (char *)NULL);
	_exit(127);
}

static void run_check(struct inside *in)
{
	struct report *rep = in->run->report;
	int p[2], status;
	ssize_t n;
	pid_t pid;

	if (pipe2(p, O_CLOEXEC) < 0)
		return;
	pid = fork();
	if (pid == 0)
		check_child(in, p[1]);
	close(p[1]);
	while (pid > 0) {
		char drop[4096];
		size_t room = sizeof(rep->check_out) - 1 - rep->check_len;

		n = read(p[0], room ? rep->check_out + rep->check_len : drop,
			room ? room : sizeof(drop));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		if (room)
			rep->check_len += (uint32_t)n;
	}
	close(p[0]);
	while (pid > 0 && waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			return;
	if (pid > 0)
		rep->check_status = status;
}

/* Why the tool could not run it.  The recording's place has another name in here. */
static void report_failure(struct inside *in, const char *text)
{
	struct dh_outcome *o = &in->run->report->outcome;
	DH_FREE char *here = dh_asprintf("/proc/self/fd/%d", in->run->dir_fd);
	size_t n = strlen(here);
	bool ours = strncmp(text, here, n) == 0;

	o->end = DH_END_FAILED;
	snprintf(o->why, sizeof(o->why), "%s%s", ours ? in->run->opt.dir : "",
		ours ? text + n : text);
}

static void report_failures(
	struct inside *in, int r, const struct dh_record_result *res, const struct dh_error *err)
{
	char text[400];

	if (in->monitor_error < 0) {
		snprintf(text, sizeof(text), "no process for --check-during: %s",
			strerror(-in->monitor_error));
		report_failure(in, text);
	}
	if (res->write_error) {
		snprintf(text, sizeof(text), "the recording cannot be written to %s: %s",
			in->run->opt.dir, strerror(res->write_error));
		report_failure(in, text);
	}
	if (r < 0 && r != -ECANCELED && r != -ETIMEDOUT)
		report_failure(in, err->text);
}

/* Each once. */
static void warn(void *cookie, const char *text)
{
	struct inside *in = cookie;
	struct report *rep = in->run->report;

	for (uint32_t i = 0; i < rep->n_warnings; i++)
		if (strncmp(rep->warnings[i], text, WARNING_SIZE - 1) == 0)
			return;
	if (rep->n_warnings < WARNINGS_MAX)
		snprintf(rep->warnings[rep->n_warnings++], WARNING_SIZE, "%s", text);
}

static void report(struct inside *in, struct dh_enforcer *e, int r,
	const struct dh_record_result *res, const struct dh_error *err)
{
	struct report *rep = in->run->report;
	const struct dh_outcome_process *list;
	size_t n;

	dh_enforcer_result(e, &rep->outcome);
	rep->outcome.status = res->status;
	report_failures(in, r, res, err);
	list = dh_enforcer_processes(e, &n);
	rep->n_processes = (uint32_t)DH_MIN(n, (size_t)PROCESSES_MAX);
	if (rep->n_processes) {
		memcpy(rep->processes, list, rep->n_processes * sizeof(*list));
		if (list[0].status != -1)
			rep->outcome.status = list[0].status;
	}
	if (rep->outcome.end == DH_END_DONE) {
		for (size_t i = 0; i < in->run->opt.n_same; i++)
			rep->outcome.same[i] = hash_file(in->run->opt.same[i]);
		if (in->run->opt.check)
			run_check(in);
	}
	rep->written = true;
}

static int body(void *cookie, const struct dh_sandbox_inside *sandbox)
{
	struct dh_run *run = cookie;
	struct inside in = {.sandbox = sandbox, .run = run};
	struct dh_enforcer_options eo = {.history = run->opt.history,
		.branch = run->opt.branch,
		.timeout = run->opt.timeout,
		.grace = GRACE,
		.begun = begun,
		.refuse = refuse,
		.next_pid = next_pid,
		.went_live = run->opt.during ? start_monitor : NULL,
		.cookie = &in};
	struct dh_enforcer *e = dh_enforcer_new(&eo);
	struct dh_gate gate = dh_enforcer_gate(e);
	struct dh_record_options ro = {.argv = run->opt.argv,
		.gate = &gate,
		.buffer = true,
		.calls = true,
		.unsynced = true,
		.prepare = confine,
		.ending = end_monitor,
		.warn = warn,
		.cookie = &in};
	struct dh_record_result res = {0};
	struct dh_error err = DH_ERROR_INIT;
	char dir[64];
	int r;

	snprintf(dir, sizeof(dir), "/proc/self/fd/%d", run->dir_fd);
	ro.dir = dir;
	sched_getaffinity(0, sizeof(in.cpus), &in.cpus);
	r = dh_record_run(&ro, &res, &err);
	end_monitor(&in);
	report(&in, e, r, &res, &err);
	dh_enforcer_free(e);
	return 0;
}

/* Outside */

static int open_dir(const char *dir, struct dh_error *err)
{
	int r = dh_mkdir_p(dir, 0755, err), fd;

	if (r < 0)
		return r;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? dh_error_set(err, errno, "%s: %s", dir, strerror(errno)) : fd;
}

static void free_run(struct dh_run *r)
{
	dh_sandbox_free(r->sandbox);
	if (r->report)
		munmap(r->report, sizeof(*r->report));
	dh_closep(&r->dir_fd);
	dh_closep(&r->input_fd);
	dh_buf_release(&r->out[0]);
	dh_buf_release(&r->out[1]);
	free(r);
}

static int prepare_files(struct dh_run *r, struct dh_error *err)
{
	r->dir_fd = open_dir(r->opt.dir, err);
	if (r->dir_fd < 0)
		return r->dir_fd;
	if (r->opt.input) {
		r->input_fd = open(r->opt.input, O_RDONLY | O_CLOEXEC);
		if (r->input_fd < 0)
			return dh_error_set(err, errno, "%s: %s", r->opt.input, strerror(errno));
	}
	r->report = mmap(NULL, sizeof(*r->report), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r->report == MAP_FAILED) {
		r->report = NULL;
		return dh_error_set(err, errno, "no shared memory: %s", strerror(errno));
	}
	r->report->check_status = r->report->during.status = -1;
	return 0;
}

int dh_run_start(const struct dh_run_options *opt, struct dh_run **ret, struct dh_error *err)
{
	struct dh_run *run = dh_new(struct dh_run);
	struct dh_sandbox_options so = {.cwd = opt->cwd,
		.on_disk = opt->on_disk,
		.hide = opt->hide,
		.stdin_fd = -1,
		.body = body,
		.cookie = run};
	int r;

	run->opt = *opt;
	run->dir_fd = run->input_fd = -1;
	r = prepare_files(run, err);
	if (r == 0) {
		so.stdin_fd = run->input_fd;
		r = dh_sandbox_start(&so, &run->sandbox, err);
	}
	if (r < 0) {
		free_run(run);
		return r;
	}
	run->open[0] = run->open[1] = true;
	*ret = run;
	return 0;
}

int dh_run_poll_fds(struct dh_run *r, struct pollfd *p)
{
	int n = 0;

	for (int i = 0; i < 2; i++)
		if (r->open[i])
			p[n++] = (struct pollfd){
				.fd = dh_sandbox_output(r->sandbox, i), .events = POLLIN};
	p[n++] = (struct pollfd){.fd = dh_sandbox_poll_fd(r->sandbox), .events = POLLIN};
	return n;
}

static void take_output(struct dh_run *r, int which)
{
	char buf[65536];
	ssize_t n;

	while (r->open[which] &&
		(n = read(dh_sandbox_output(r->sandbox, which), buf, sizeof(buf))) != 0) {
		size_t keep;

		if (n < 0)
			return;
		keep = DH_MIN((size_t)n, OUTPUT_MAX - r->out[which].len);
		dh_buf_add(&r->out[which], buf, keep);
		r->lost += (size_t)n - keep;
	}
	r->open[which] = false;
}

bool dh_run_pump(struct dh_run *r)
{
	struct pollfd p = {.fd = dh_sandbox_poll_fd(r->sandbox), .events = POLLIN};
	bool over = poll(&p, 1, 0) > 0;

	take_output(r, 0);
	take_output(r, 1);
	return over;
}

static void take_check(struct dh_outcome_check *ret, int status, const char *out, uint32_t len)
{
	ret->status = status;
	ret->out = DH_BUF_INIT;
	dh_buf_add(&ret->out, out, DH_MIN(len, (uint32_t)CHECK_OUT_MAX));
}

static void take_report(struct dh_run *r, struct dh_outcome *ret)
{
	const struct report *rep = r->report;
	uint32_t n = DH_MIN(rep->n_processes, (uint32_t)PROCESSES_MAX);

	*ret = rep->outcome;
	ret->processes = n ? dh_memdup(rep->processes, n * sizeof(*rep->processes)) : NULL;
	ret->n_processes = n;
	ret->out = r->out[0];
	ret->err = r->out[1];
	r->out[0] = r->out[1] = DH_BUF_INIT;
	ret->lost = r->lost;
	take_check(&ret->check, rep->check_status, rep->check_out, rep->check_len);
	take_check(&ret->during, rep->during.status, rep->during.out, rep->during.len);
	for (uint32_t i = 0; i < n; i++)
		ret->processes[i].command[DH_OUTCOME_COMMAND - 1] = '\0';
	ret->why[sizeof(ret->why) - 1] = '\0';
}

static void take_warnings(struct dh_run *r)
{
	uint32_t n = DH_MIN(r->report->n_warnings, (uint32_t)WARNINGS_MAX);

	for (uint32_t i = 0; i < n && r->opt.warn; i++) {
		r->report->warnings[i][WARNING_SIZE - 1] = '\0';
		r->opt.warn(r->opt.cookie, r->report->warnings[i]);
	}
}

int dh_run_finish(struct dh_run *r, struct dh_outcome *ret, struct dh_error *err)
{
	int status, e = dh_sandbox_wait(r->sandbox, &status, err);

	if (e == 0) {
		dh_run_pump(r);
		take_report(r, ret);
		take_warnings(r);
		if (!r->report->written) {
			ret->end = DH_END_FAILED;
			snprintf(ret->why, sizeof(ret->why),
				"the recorder ended unexpectedly (%s %d)",
				WIFSIGNALED(status) ? "signal" : "status",
				WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		}
	}
	free_run(r);
	return e;
}

void dh_run_abort(struct dh_run *r)
{
	DH_FREE char *dir = r ? dh_strdup(r->opt.dir) : NULL;

	if (!r)
		return;
	free_run(r);
	dh_remove_tree(dir);
}

int dh_run(const struct dh_run_options *opt, struct dh_outcome *ret, struct dh_error *err)
{
	struct dh_run *run;
	int r = dh_run_start(opt, &run, err);

	if (r < 0)
		return r;
	for (bool over = false; !over; over = dh_run_pump(run)) {
		struct pollfd p[3];

		poll(p, (nfds_t)dh_run_poll_fds(run, p), WAITING_MS);
		r = opt->waiting ? opt->waiting(opt->cookie) : 0;
		if (r < 0) {
			dh_run_abort(run);
			return r;
		}
	}
	return dh_run_finish(run, ret, err);
}
