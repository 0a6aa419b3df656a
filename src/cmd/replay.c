/* deadheat replay: run a recording again. */
#include "cmd/cmd.h"

#include <errno.h>
#include <inttypes.h>
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
#include "replay/replay.h"
#include "trace/list.h"
#include "trace/reader.h"

static struct {
	uint64_t until;
	bool verify, stats, dump, no_patch, any_machine;
} o = {.until = UINT64_MAX};

static const struct dh_cmd cmd = {"replay", "[options] [RECORDING]",
	"Runs a recording again: the same output, the same exit status, no side effects.\n"
	"RECORDING is a directory or a name below .deadheat/recordings (default: the latest).",
	NULL};

static const struct dh_opt opts[] = {
	{DH_OPT_UINT, 0, "until", "EVENT", "stop before this event", &o.until, NULL},
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

	while ((n = dh_replay_next(r, err)) > 0)
		;
	return n;
}

static int dump(const char *dir, struct dh_error *err)
{
	DH_BUF struct dh_buf line = DH_BUF_INIT;
	struct dh_trace_reader *reader;
	struct dh_trace_event ev;
	int r = dh_trace_reader_open(dir, &reader, err);

	if (r < 0)
		return r;
	while ((r = dh_trace_reader_next(reader, &ev, err)) > 0 && ev.seq < o.until) {
		dh_buf_clear(&line);
		dh_dump_event(&ev, &line);
		fwrite(line.data, 1, line.len, stdout);
	}
	dh_trace_reader_free(reader);
	return r < 0 ? r : 0;
}

int dh_cmd_replay(int argc, char **argv)
{
	struct dh_error err = DH_ERROR_INIT;
	DH_FREE char *dir = NULL;
	struct dh_replay_options ro = {.out_fd = STDOUT_FILENO, .err_fd = STDERR_FILENO};
	struct dh_replay *r = NULL;
	int i = dh_opt_parse(&cmd, opts, argc, argv, &err), e, status;

	if (i == -ECANCELED)
		return DH_EXIT_OK;
	if (i >= 0 && argc > i + 1)
		i = dh_error_set(&err, EINVAL, "one recording at a time");
	if (i < 0) {
		dh_log_error("%s", dh_error_text(&err, i));
		return DH_EXIT_USAGE;
	}
	ro.until = o.until;
	ro.no_patch = o.no_patch;
	ro.any_machine = o.any_machine;
	e = dh_trace_list_resolve(NULL, i < argc ? argv[i] : NULL, &dir, &err);
	if (e == 0 && o.dump)
		e = dump(dir, &err);
	else if (e == 0)
		e = dh_replay_open(dir, &ro, &r, &err);
	if (e == 0 && o.dump)
		return DH_EXIT_OK;
	if (e == 0)
		e = run(r, &err);
	if (e < 0) {
		dh_log_error("%s", dh_error_text(&err, e));
		dh_replay_free(r);
		return DH_EXIT_FAILED;
	}
	status = dh_replay_status(r);
	if (!dh_replay_complete(r))
		dh_log_warn("the recording ends at event %" PRIu64
			    ": the recorder was stopped before the program was",
			dh_replay_position(r));
	if (o.verify) {
		struct dh_replay_stats s = dh_replay_stats(r);

		dh_log_info("verified: the registers were the same at all %" PRIu64
			    " events, the whole memory at %" PRIu64 " points",
			s.events, s.points);
	}
	if (o.stats) {
		struct dh_replay_stats s = dh_replay_stats(r);

		dh_log_info("%" PRIu64 " events, %" PRIu64 " points, %" PRIu64 " traps, %" PRIu64
			    " false matches",
			s.events, s.points, s.traps, s.false_matches);
	}
	dh_replay_free(r);
	return exit_like(status);
}
