/* deadheat replay: run a recording again. */
#include "cmd/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/opt.h"
#include "base/progress.h"
#include "base/buf.h"
#include "replay/dump.h"
#include "replay/ps.h"
#include "replay/replay.h"
#include "trace/list.h"
#include "trace/reader.h"

static struct {
	uint64_t until;
	uint64_t pid;
	bool verify, stats, dump, no_patch, any_machine, gdb, ps;
	const char *recording;
	char *const *gdb_args;
} o = {.until = UINT64_MAX};

static const struct dh_cmd cmd = {"replay", "[options] [RECORDING] [-- GDB-ARGUMENT...]",
	"Runs a recording again: the same output, the same exit status, no side effects.\n"
	"RECORDING is a directory or a name below .deadheat/recordings (default: the latest).",
	NULL};

static const struct dh_opt opts[] = {
	{DH_OPT_UINT, 0, "until", "EVENT", "stop before this event", &o.until, NULL},
	{DH_OPT_FLAG, 0, "gdb", NULL, "open gdb on the replay", &o.gdb, NULL},
	{DH_OPT_UINT, 'p', "pid", "PID", "which process gdb sees (default: the first)", &o.pid,
		NULL},
	{DH_OPT_FLAG, 0, "ps", NULL, "list the processes of the recording", &o.ps, NULL},
	{DH_OPT_FLAG, 0, "verify", NULL, "say what was compared, and that all of it was the same",
		&o.verify, NULL},
	{DH_OPT_FLAG, 0, "dump", NULL, "print the events instead of running them", &o.dump, NULL},
	{DH_OPT_FLAG, 0, "stats", NULL, "print what the replay did", &o.stats, NULL},
	{DH_OPT_FLAG, 0, "no-patch", NULL,
		"never change the program's code to find a point: slower,\nfor programs that check "
		"their own code",
		&o.no_patch, NULL},
	{DH_OPT_FLAG, 0, "any-machine", NULL,
		"try although the recording comes from another kind of machine", &o.any_machine,
		NULL},
	{0},
};

static int exit_like(int status)
{
	if (status < 0)
		return DH_EXIT_FAILED;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run(struct dh_replay *r, struct dh_error *err)
{
	int n;

	if (dh_replay_first(r))
		dh_log_info("the recording begins at event %" PRIu64
			    ": older parts were dropped to keep its size",
			dh_replay_first(r));
	while ((n = dh_replay_next(r, err)) > 0)
		;
	return n;
}

#define CUT_OFF                                                                                    \
	"the recording is cut off after %" PRIu64                                                  \
	" events: the recorder was killed or its disk was full"

static int open_and_list(const char *dir, struct dh_ps *ps, struct dh_error *err)
{
	struct dh_trace_reader *reader;
	int r = dh_trace_reader_open(dir, &reader, err);

	if (r < 0)
		return r;
	r = dh_ps_read(reader, ps, err);
	dh_trace_reader_free(reader);
	return r;
}

/* A recording without its end is an error for those who look at it as for those who run it, unless
 * it says how the program ended. */
static int judge_cut(const struct dh_ps *ps)
{
	if (ps->complete)
		return DH_EXIT_OK;
	if (ps->n && ps->processes[0].ended) {
		dh_log_warn(CUT_OFF, ps->events);
		return DH_EXIT_OK;
	}
	dh_log_error(CUT_OFF, ps->events);
	return DH_EXIT_FAILED;
}

static int dump(const char *dir, struct dh_error *err)
{
	DH_BUF struct dh_buf line = DH_BUF_INIT;
	struct dh_trace_reader *reader;
	struct dh_trace_event ev;
	struct dh_ps ps = {0};
	int r = dh_trace_reader_open(dir, &reader, err);

	if (r < 0)
		return r;
	while ((r = dh_trace_reader_next(reader, &ev, err)) > 0 && ev.seq < o.until) {
		dh_buf_clear(&line);
		dh_dump_event(&ev, &line);
		fwrite(line.data, 1, line.len, stdout);
	}
	dh_trace_reader_free(reader);
	if (r != 0)
		return DH_MIN(r, 0);
	r = open_and_list(dir, &ps, err);
	if (r == 0)
		r = judge_cut(&ps);
	dh_ps_release(&ps);
	return r;
}

static void print_process(const struct dh_ps_process *p)
{
	char parent[16] = "-", status[32] = "-", events[48];

	if (p->ppid)
		snprintf(parent, sizeof(parent), "%u", p->ppid);
	if (p->ended && WIFSIGNALED(p->status))
		snprintf(status, sizeof(status), "SIG%s", sigabbrev_np(WTERMSIG(p->status)));
	else if (p->ended)
		snprintf(status, sizeof(status), "%d", WEXITSTATUS(p->status));
	snprintf(events, sizeof(events), "%" PRIu64 "-%" PRIu64, p->first, p->last);
	printf("%-8u %-8s %-8s %-17s %s\n", p->pid, parent, status, events, p->command);
}

static int list(const char *dir, struct dh_error *err)
{
	struct dh_ps ps = {0};
	int r = open_and_list(dir, &ps, err);

	if (r == 0 || ps.n)
		puts("PID      PPID     STATUS   EVENTS            COMMAND");
	for (size_t i = 0; i < ps.n; i++)
		print_process(&ps.processes[i]);
	if (r == 0)
		r = judge_cut(&ps);
	dh_ps_release(&ps);
	return r;
}

/* Which process, and where gdb meets it. */
static int choose_process(const char *dir, struct dh_debug_options *ret, struct dh_error *err)
{
	const struct dh_ps_process *p;
	struct dh_ps ps = {0};
	int r;

	if (!o.pid)
		return 0;
	r = open_and_list(dir, &ps, err);
	p = dh_ps_find(&ps, (uint32_t)o.pid);
	if (p) {
		*ret = (struct dh_debug_options){.pid = p->pid, .at_fork = !p->executed};
		r = 0;
	} else if (r == 0) {
		r = dh_error_set(err, EINVAL,
			"the recording has no process %" PRIu64
			"; 'deadheat replay --ps %s' lists its %zu processes (%u to %u)",
			o.pid, dir, ps.n, ps.n ? ps.processes[0].pid : 0,
			ps.n ? ps.processes[ps.n - 1].pid : 0);
	}
	dh_ps_release(&ps);
	return r;
}

/* The terminal's interrupt key is gdb's. */
static int debug(const char *dir, const struct dh_replay_options *ro, struct dh_error *err)
{
	struct dh_debug_options opt = {0};
	struct dh_replay *r = NULL;
	int e = choose_process(dir, &opt, err), status;

	if (e == 0)
		e = dh_replay_open(dir, ro, &r, err);
	if (e < 0)
		return e;
	opt.args = o.gdb_args;
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	dh_replay_debug(r, &opt);
	e = run(r, err);
	if (e == 0 && !dh_replay_debugged(r))
		e = dh_error_set(err, ENOENT, "the recording ends before gdb could be started");
	status = dh_replay_debug_wait(r);
	dh_replay_free(r);
	if (e < 0 && e != -ECANCELED)
		return e;
	return exit_like(status);
}

int dh_replay_gdb(const char *dir, uint32_t pid, char *const *args, struct dh_error *err)
{
	struct dh_replay_options ro = {
		.out_fd = STDOUT_FILENO, .err_fd = STDERR_FILENO, .until = UINT64_MAX};

	o.pid = pid;
	o.gdb_args = args;
	return debug(dir, &ro, err);
}

static bool stopped_as_asked(const struct dh_replay *r)
{
	return dh_replay_position(r) >= o.until;
}

static void print_end(const struct dh_replay *r)
{
	int status = dh_replay_status(r);

	if (stopped_as_asked(r))
		dh_log_info("stopped before event %" PRIu64, o.until);
	else if (!dh_replay_complete(r) && status < 0)
		dh_log_error(CUT_OFF, dh_replay_position(r));
	else if (!dh_replay_complete(r))
		dh_log_warn(CUT_OFF, dh_replay_position(r));
	else if (status < 0)
		dh_log_error("the recording does not say how the program ended");
	else if (WIFSIGNALED(status))
		dh_log_info("the program was killed: %s", strsignal(WTERMSIG(status)));
}

static void print_notes(const struct dh_replay *r)
{
	struct dh_replay_stats s = dh_replay_stats(r);

	if (o.verify)
		dh_log_info("verified: registers and output were the same at all %" PRIu64
			    " events, the whole memory at %" PRIu64 " points",
			s.events, s.points);
	if (o.stats)
		dh_log_info("%" PRIu64 " events, %" PRIu64 " points, %" PRIu64 " traps, %" PRIu64
			    " false matches",
			s.events, s.points, s.traps, s.false_matches);
}

/* [RECORDING] [-- GDB-ARGUMENT...]; i is the first operand, "--" is skipped already. */
static int parse_operands(int i, int argc, char **argv, struct dh_error *err)
{
	bool only_gdb = i > 1 && strcmp(argv[i - 1], "--") == 0;

	if (!only_gdb && i < argc)
		o.recording = argv[i++];
	if (!only_gdb && i < argc && strcmp(argv[i], "--") == 0) {
		only_gdb = true;
		i++;
	}
	if (only_gdb && o.gdb)
		o.gdb_args = argv + i;
	else if (i < argc)
		return dh_error_set(err, EINVAL,
			"one recording at a time, but '%s' is another (deadheat replay --help)",
			argv[i]);
	if (o.pid && !o.gdb)
		return dh_error_set(err, EINVAL, "--pid is for --gdb");
	if (o.pid > UINT32_MAX)
		return dh_error_set(err, EINVAL, "%" PRIu64 " is no process id", o.pid);
	return 0;
}

static int replay(const char *dir, const struct dh_replay_options *ro, struct dh_error *err)
{
	struct dh_replay *r = NULL;
	int e = dh_replay_open(dir, ro, &r, err);

	if (e == 0)
		e = run(r, err);
	if (e == 0) {
		print_end(r);
		print_notes(r);
		e = stopped_as_asked(r) ? DH_EXIT_OK : exit_like(dh_replay_status(r));
	}
	dh_replay_free(r);
	return e;
}

int dh_cmd_replay(int argc, char **argv)
{
	struct dh_error err = DH_ERROR_INIT;
	DH_FREE char *dir = NULL;
	struct dh_replay_options ro = {.out_fd = STDOUT_FILENO, .err_fd = STDERR_FILENO};
	int i = dh_opt_parse(&cmd, opts, argc, argv, &err), e;

	if (i == -ECANCELED)
		return DH_EXIT_OK;
	if (i >= 0)
		i = parse_operands(i, argc, argv, &err);
	if (i < 0) {
		dh_log_error("%s", dh_error_text(&err, i));
		return DH_EXIT_USAGE;
	}
	ro.until = o.until;
	ro.no_patch = o.no_patch;
	ro.any_machine = o.any_machine;
	e = dh_trace_list_resolve(NULL, o.recording, &dir, &err);
	if (e == 0)
		e = o.ps     ? list(dir, &err)
		    : o.dump ? dump(dir, &err)
		    : o.gdb  ? debug(dir, &ro, &err)
			     : replay(dir, &ro, &err);
	if (e >= 0)
		return e;
	dh_log_error("%s", dh_error_text(&err, e));
	return DH_EXIT_FAILED;
}
