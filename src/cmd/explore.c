/* deadheat explore: races between processes, proved by turning them around. */
#include "base/clock.h"
#include "cmd/explore.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/map.h"
#include "base/progress.h"
#include "cmd/cmd.h"
#include "explore/history.h"
#include "explore/race.h"
#include "model/finding.h"
#include "model/findings.h"
#include "report/report.h"
#include "store/store.h"
#include "trace/list.h"
#include "trace/meta.h"

#define o dh_explore_opt

struct dh_explore_opt dh_explore_opt = {.undisturbed = 3, .limit = 20};

static const struct dh_cmd cmd = {"explore",
	"[options] -- PROGRAM [ARG]... | DIR | --replay ID [-- GDB-ARGUMENT...]",
	"Finds races between processes: records the program and all processes that it starts,\n"
	"looks for system calls whose order nothing guarantees, and runs the program again with\n"
	"each pair turned around, to see what breaks.  All runs happen in a sandbox; nothing\n"
	"outside is changed.",
	"DIR is a recording that was made by 'deadheat explore' or 'deadheat record --calls' (the\n"
	"command of any other one is recorded again); what was decided about its races before is\n"
	"not tried again.\n"
	"Exit status: 0 no harmful race, 1 harmful races, 2 wrong usage, 3 could not run."};

static struct dh_opt options[] = {
	{DH_OPT_GROUP, 0, NULL, NULL, "What is a failure", NULL, NULL},
	{DH_OPT_STRING, 0, "check", "CMD", "a shell command that must succeed after each run",
		&o.check, NULL},
	{DH_OPT_STRING, 0, "check-during", "CMD", "the same, over and over while the program runs",
		&o.during, NULL},
	{DH_OPT_LIST, 0, "expect-same", "FILE",
		"FILE must be as in undisturbed runs ('-': standard\noutput); may be repeated",
		&o.same, NULL},
	{DH_OPT_STRING, 0, "log-errors", "REGEX", "lines of output that are error messages",
		&o.log_errors, NULL},
	{DH_OPT_TIME, 0, "timeout", "TIME",
		"a run that takes longer hangs (default: by the others)", &o.timeout, NULL},
	{DH_OPT_UINT, 0, "undisturbed", "N",
		"runs as they are, which must not fail before a race is\nblamed (default: 3)",
		&o.undisturbed, NULL},
	{DH_OPT_GROUP, 0, NULL, NULL, "How much", NULL, NULL},
	{DH_OPT_TIME, 0, "time", "TIME", "stop after that", &o.time, NULL},
	{DH_OPT_UINT, 0, "races", "N", "try the N most promising races only", &o.races, NULL},
	{DH_OPT_UINT, 'j', "jobs", "N", "runs at a time (default: processors)", &o.jobs, NULL},
	{DH_OPT_STRING, 0, "shard", "K/N", "only the Kth of N parts, for several machines",
		&o.shard, NULL},
	{DH_OPT_FLAG, 0, "when-idle", NULL, "run only while the machine has nothing else to do",
		&o.when_idle, NULL},
	{DH_OPT_STRING, 0, "skip", "KINDS",
		"leave out kinds of objects: name, list, data, meta,\noffset, stream, tty, log, "
		"process, "
		"wait, signal, global",
		&o.skip, NULL},
	{DH_OPT_UINT, 0, "recursive", "N",
		"also turn around up to N races on top of each other:\nthose that only runs with a "
		"race turned around have,\nthen others",
		&o.recursive, NULL},
	{DH_OPT_FLAG, 'a', "all", NULL, "races on terminals and between exclusive calls too",
		&o.all, NULL},
	{DH_OPT_FLAG, 0, "list", NULL, "only say what was found, run nothing again", &o.list, NULL},
	{DH_OPT_GROUP, 0, NULL, NULL, "Again", NULL, NULL},
	{DH_OPT_STRING, 0, "replay", "ID", "run the order that broke once more", &o.replay, NULL},
	{DH_OPT_FLAG, 0, "gdb", NULL, "with --replay: open gdb on the run that failed", &o.gdb,
		NULL},
	{DH_OPT_GROUP, 0, NULL, NULL, "Output", NULL, NULL},
	{DH_OPT_UINT, 0, "limit", "N", "findings to show with --list (default: 20, 0: all)",
		&o.limit, NULL},
	{DH_OPT_CHOICE, 'f', "format", "FORMAT", "text, gcc, json, sarif or html", &o.out.format,
		NULL},
	{DH_OPT_STRING, 'o', "output", "FILE", "write there instead of to stdout", &o.out.output,
		NULL},
	{DH_OPT_CHOICE, 0, "color", "WHEN", "auto, always or never", &o.out.color, dh_color_names},
	{DH_OPT_STRING, 0, "db", "FILE", "the findings store (default: .deadheat/findings.db)",
		&o.db, NULL},
	{0},
};

static volatile sig_atomic_t stopped;

static void on_stop(int sig)
{
	(void)sig;
	stopped = 1;
}

static void handle_signals(void)
{
	struct sigaction stop = {.sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND};

	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int failed(const struct dh_error *err, int r)
{
	dh_log_error("%s", dh_error_text(err, r));
	return r == -EINVAL ? DH_EXIT_USAGE : DH_EXIT_FAILED;
}

static int parse_skip(unsigned *ret, struct dh_error *err)
{
	const char *at = o.skip;

	*ret = 0;
	while (at && *at) {
		size_t n = strcspn(at, ",");
		int what = dh_race_what_parse(at, n);

		if (what < 0)
			return dh_error_set(
				err, EINVAL, "--skip: there is no kind '%.*s'", (int)n, at);
		*ret |= 1u << what;
		at += n + (at[n] == ',');
	}
	return 0;
}

static int parse_shard(uint32_t *shard, uint32_t *shards, struct dh_error *err)
{
	*shard = *shards = 0;
	if (o.shard && (sscanf(o.shard, "%" SCNu32 "/%" SCNu32, shard, shards) != 2 || !*shard ||
			       *shard > *shards))
		return dh_error_set(err, EINVAL, "--shard: '%s' is not K/N, as 1/4", o.shard);
	return 0;
}

/* What one exploration has come to. */
struct exploration {
	struct dh_history *h;
	struct dh_races races;
	struct dh_findings found; /* what is shown */
	struct dh_store *store;
	int store_error;
	struct dh_error err;
	double detected; /* seconds */
};

/* What is counted while it runs, by phase. */
static const struct {
	const char *phase, *what;
} phases[] = {
	{"recording", "recording"},
	{"undisturbed", "undisturbed runs"},
	{"ordered", "runs in the recorded order"},
	{"validating", "races"},
};

static void begin_phase(const struct dh_explore_progress *p)
{
	static const char *phase;

	for (size_t i = 0; i < DH_ARRAY_SIZE(phases); i++) {
		if (strcmp(phases[i].phase, p->phase) == 0 && phase != phases[i].phase) {
			phase = phases[i].phase;
			dh_progress_begin(phases[i].what, p->n);
		}
	}
}

static void on_progress(void *cookie, const struct dh_explore_progress *p)
{
	char note[160] = "";

	(void)cookie;
	begin_phase(p);
	if (strcmp(p->phase, "recording") == 0) {
		dh_progress_update((uint64_t)p->seconds, "seconds so far");
		return;
	}
	if (strcmp(p->phase, "validating") == 0)
		snprintf(note, sizeof(note), "%zu harmful, %zu benign, %zu diverged%s", p->harmful,
			p->benign, p->diverged, o.time > 0 ? " (ends with --time)" : "");
	dh_progress_set_total(p->n);
	dh_progress_update(p->done, note);
}

static void keep(struct exploration *x, struct dh_finding *f)
{
	int r = x->store_error ? 0 : dh_store_put(x->store, f, &x->err);

	if (r < 0)
		x->store_error = r;
	if (dh_findings_find(&x->found, f->fingerprint))
		dh_finding_free(f);
	else
		dh_findings_add(&x->found, f);
}

static void on_decided(void *cookie, const struct dh_trial *t, const struct dh_verdict *v)
{
	struct exploration *x = cookie;
	struct dh_finding *f = dh_explore_finding(t, v);

	/* One failure is shown once, by the race that led to it first; the store has all. */
	if (v->kind == DH_VERDICT_HARMFUL && !v->like) {
		keep(x, f);
		return;
	}
	if (!x->store_error)
		x->store_error = DH_MIN(dh_store_put(x->store, f, &x->err), 0);
	dh_finding_free(f);
}

/* Executions resemble each other: what was said of one is not said again. */
static void on_warning(void *cookie, const char *text)
{
	static struct dh_strset said;

	(void)cookie;
	if (!said.arena)
		dh_strset_init(&said);
	if (dh_strset_find(&said, text) >= 0)
		return;
	dh_strset_add(&said, text);
	dh_log_warn("%s", text);
}

void dh_explore_fill(struct dh_explore_options *ret, const char *dir)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	*ret = (struct dh_explore_options){.dir = dir,
		.check = o.check,
		.during = o.during,
		.same = (char *const *)o.same.items,
		.n_same = o.same.n,
		.log_errors = o.log_errors,
		.timeout = o.timeout,
		.time = o.time,
		.races = o.races,
		.jobs = o.jobs ? (int)DH_MIN(o.jobs, (uint64_t)256) : (int)DH_MAX(processors, 1),
		.undisturbed = (int)DH_MIN(DH_MAX(o.undisturbed, (uint64_t)1), (uint64_t)100),
		.recursive = (uint32_t)DH_MIN(o.recursive, (uint64_t)UINT32_MAX),
		.all = o.all,
		.when_idle = o.when_idle,
		.stop = &stopped,
		.progress = on_progress,
		.decided = on_decided,
		.warn = on_warning};
}

static int detect(struct exploration *x, unsigned skip, struct dh_error *err)
{
	double began = dh_clock_seconds();
	int r = dh_history_load(o.dir, &x->h, err);
	size_t all;

	if (r < 0)
		return r;
	dh_races_detect(x->h, &x->races);
	all = x->races.n;
	dh_races_rank(x->h, &x->races, skip, o.all);
	x->detected = dh_clock_seconds() - began;
	dh_log_info("%u process%s, %u calls, %u objects: %zu race%s in %.2f s", x->h->n_processes,
		x->h->n_processes == 1 ? "" : "es", x->h->n_calls, x->h->n_objects, x->races.n,
		x->races.n == 1 ? "" : "s", x->detected);
	if (all > x->races.n)
		dh_log_info("%zu more are left out (--all, --skip)", all - x->races.n);
	if (x->races.dropped)
		dh_log_warn("%" PRIu64 " more pairs on objects that have thousands were dropped",
			x->races.dropped);
	return 0;
}

static void list_races(struct exploration *x)
{
	for (size_t i = 0; i < x->races.n && (!o.limit || x->found.n < o.limit); i++)
		keep(x, dh_explore_finding(
				&(struct dh_trial){
					.h = x->h, .race = &x->races.races[i], .dir = o.dir},
				NULL));
}

static void say_lines(const char *words, const struct dh_buf *text)
{
	for (const char *at = dh_buf_str(text); *at;) {
		size_t n = strcspn(at, "\n");

		dh_log_warn("%s%.*s", words, (int)n, at);
		at += n + (at[n] == '\n');
	}
}

static void say_summary(const struct dh_explore_summary *s)
{
	say_lines("flaky by itself: ", &s->flaky);
	say_lines("fails by itself: ", &s->failing);
	if (s->kept && !s->unsteady)
		dh_log_info("races are held against %zu runs in the recorded order instead: what "
			    "breaks must break, and what does not must not, every time",
			s->kept);
	dh_log_info("%zu harmful, %zu benign, %zu diverged, %zu could not be judged; %zu not tried",
		s->harmful, s->benign, s->diverged, s->failed, s->left);
	if (o.recursive > 1)
		dh_log_info("%zu of them were turned around on top of another one", s->deeper);
	if (s->n_validated)
		dh_log_info("each took %.2f s (undisturbed: %.2f s), and %.3f ms to prepare",
			s->validated / (double)s->n_validated, s->undisturbed,
			1e3 * s->generated / (double)s->n_validated);
	if (s->again)
		dh_log_info("%zu of them were decided before", s->again);
}

static int validate(struct exploration *x, struct dh_explore_options *eo, struct dh_error *err)
{
	struct dh_explore_summary sum;
	int r;

	eo->cookie = x;
	r = dh_explore_validate(eo, x->h, &x->races, &sum, err);
	dh_progress_end();
	if (r < 0 && r != -EINTR)
		return r;
	say_summary(&sum);
	if (sum.unsteady) {
		dh_log_warn("these races are what may be behind it, the most promising first");
		list_races(x);
	}
	if (r == -EINTR)
		dh_log_warn("interrupted; 'deadheat explore %s' goes on", o.dir);
	dh_explore_summary_release(&sum);
	return 0;
}

static int finish(struct exploration *x, struct dh_error *err)
{
	struct dh_report_options more = {.full = !o.list};
	int r;

	if (x->store_error)
		dh_log_warn("the store: %s", dh_error_text(&x->err, x->store_error));
	dh_findings_sort(&x->found);
	r = dh_output_write(&o.out, &x->found, &more, err);
	if (r < 0)
		return failed(err, r);
	return x->found.n ? DH_EXIT_FINDINGS : DH_EXIT_OK;
}

/* A recording that does not say what its calls were about still says what was run, and where. */
static int record_again(struct dh_explore_options *eo, char **ret_dir, struct dh_error *err)
{
	int r = dh_trace_list_new(NULL, eo->argv[0], ret_dir, err);

	if (r < 0)
		return r;
	dh_log_warn("%s was made without --calls and does not say what its calls were about: its "
		    "command runs once more, in the sandbox and with the environment of now",
		o.dir);
	o.dir = eo->dir = *ret_dir;
	return dh_explore_first(eo, err);
}

static int explore(struct dh_explore_options *eo, unsigned skip, struct dh_error *err)
{
	struct exploration x = {.err = DH_ERROR_INIT};
	DH_FREE char *again = NULL;
	int r = dh_store_open(dh_store_path(o.db), DH_STORE_CREATE, &x.store, err);

	if (r == 0)
		r = detect(&x, skip, err);
	if (r == -ENODATA) {
		r = record_again(eo, &again, err);
		if (r == 0)
			r = detect(&x, skip, err);
	}
	if (r == 0 && o.list)
		list_races(&x);
	else if (r == 0 && x.races.n)
		r = validate(&x, eo, err);
	r = r < 0 ? failed(err, r) : finish(&x, err);
	dh_store_close(x.store);
	dh_findings_release(&x.found);
	dh_races_release(&x.races);
	dh_history_free(x.h);
	return r;
}

static int run(int n, char **argv, unsigned skip, struct dh_error *err)
{
	struct dh_explore_options eo;
	struct dh_trace_meta meta = {0};
	DH_FREE char *dir = NULL;
	int known = dh_explore_is_recording(n, argv, err), r = known;

	if (known >= 0)
		r = known ? dh_trace_meta_read(argv[0], &meta, err)
			  : dh_trace_list_new(NULL, argv[0], &dir, err);
	if (r < 0)
		return failed(err, r);
	o.dir = known ? argv[0] : dir;
	dh_explore_fill(&eo, o.dir);
	eo.skip = skip;
	eo.argv = known ? meta.argv : argv;
	eo.cwd = known ? meta.cwd : NULL;
	r = parse_shard(&eo.shard, &eo.shards, err);
	if (r == 0 && !known)
		r = dh_explore_first(&eo, err);
	r = r < 0 ? failed(err, r) : explore(&eo, skip, err);
	if (dir)
		rmdir(dir); /* only when nothing came into it */
	dh_trace_meta_release(&meta);
	return r;
}

int dh_cmd_explore(int argc, char **argv)
{
	struct dh_error err = DH_ERROR_INIT;
	unsigned skip = 0;
	int i, r;

	for (size_t k = 0; options[k].help; k++) {
		if (options[k].value == &o.out.format)
			options[k].choices = dh_report_format_names();
	}
	i = dh_opt_parse(&cmd, options, argc, argv, &err);
	if (i == -ECANCELED)
		return DH_EXIT_OK;
	r = i < 0 ? i : parse_skip(&skip, &err);
	if (r == 0 && !o.replay && i >= argc)
		r = dh_error_set(&err, EINVAL, "which program? (deadheat explore -- PROGRAM)");
	if (r == 0 && o.gdb && !o.replay)
		r = dh_error_set(&err, EINVAL, "--gdb is for --replay");
	if (r < 0) {
		dh_log_error("%s", dh_error_text(&err, r));
		return DH_EXIT_USAGE;
	}
	handle_signals();
	r = o.replay ? dh_explore_replay(argv + i, &err) : run(argc - i, argv + i, skip, &err);
	free(o.same.items);
	return r;
}
