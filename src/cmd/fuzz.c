/* deadheat fuzz: predict what can go wrong between threads, then make it happen. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/opt.h"
#include "base/progress.h"
#include "cmd/cmd.h"
#include "cmd/fuzz.h"
#include "cmd/output.h"
#include "fuzz/campaign.h"
#include "fuzz/input.h"
#include "fuzz/program.h"
#include "model/findings.h"
#include "report/report.h"
#include "store/store.h"
#include "wire/sched.h"

#define MAX_OUTPUT ((size_t)64 << 20)
/* Findings that are told in full; the others are listed. */
#define FULL_FINDINGS 1

struct dh_fuzz_opt dh_fuzz_opt = {.seeds = 100,
	.first_seed = 1,
	.schedules = 1000,
	.time = 120,
	.timeout = 10,
	.jobs = 1,
	.depth = 3,
	.fail_on = 2};

#define o dh_fuzz_opt

/* In the order of the table below. */
static const char *const strategy_names[] = {"portfolio", "race", "deadlock", "atomicity", "order",
	"pct", "pos", "random", "round", NULL};
static const int strategies[] = {DH_PORTFOLIO, DH_SCHED_RACE, DH_SCHED_DEADLOCK, DH_SCHED_ATOMICITY,
	DH_SCHED_ORDER, DH_SCHED_PCT, DH_SCHED_POS, DH_SCHED_RANDOM, DH_SCHED_ROUND};
static const char *const fail_names[] = {
	"predicted", "observed", "confirmed", "harmful", "none", NULL};

/* The choices of --format stand in report/; filled in before it is used. */
static struct dh_opt options[] = {
	{DH_OPT_GROUP, 0, NULL, NULL, "How hard to try", NULL, NULL},
	{DH_OPT_UINT, 'n', "seeds", "N", "schedules for each suspect (default: 100)", &o.seeds,
		NULL},
	{DH_OPT_TIME, 't', "time", "T", "stop after T (30s, 10m; default: 2m; 0: no limit)",
		&o.time, NULL},
	{DH_OPT_UINT, 'j', "jobs", "N", "schedules at a time; 0: one per processor (default: 1)",
		&o.jobs, NULL},
	{DH_OPT_CHOICE, 's', "strategy", "S",
		"portfolio (default), race, deadlock, atomicity, order,\npct, pos, random or round",
		&o.strategy, strategy_names},
	{DH_OPT_UINT, 0, "schedules", "N", "at most N in all (default: 1000; 0: no limit)",
		&o.schedules, NULL},
	{DH_OPT_UINT, 0, "first-seed", "N", "the first seed (default: 1)", &o.first_seed, NULL},
	{DH_OPT_UINT, 0, "depth", "N", "ordering constraints of pct (default: 3)", &o.depth, NULL},
	{DH_OPT_FLAG, 0, "all-seeds", NULL, "go on although a suspect is decided", &o.all_seeds,
		NULL},
	{DH_OPT_FLAG, 0, "all-accesses", NULL, "threads may switch at every memory access: slow",
		&o.all_accesses, NULL},
	{DH_OPT_FLAG, 0, "hb", NULL, "predict only accesses that no lock ordered in that run",
		&o.happens_before, NULL},
	{DH_OPT_TIME, 0, "timeout", "T", "how long one run may take (default: 10s)", &o.timeout,
		NULL},
	{DH_OPT_GROUP, 0, NULL, NULL, "What is wrong, beside crashes, failed assertions and hangs",
		NULL, NULL},
	{DH_OPT_FLAG, 0, "compare-output", NULL,
		"standard output that differs from that of an\nundisturbed run", &o.compare, NULL},
	{DH_OPT_STRING, 0, "check", "COMMAND",
		"this shell command fails; it reads the output, and the\nstatus is in "
		"$DEADHEAT_STATUS",
		&o.check, NULL},
	{DH_OPT_GROUP, 0, NULL, NULL, "What to try", NULL, NULL},
	{DH_OPT_FLAG, 0, "from-store", NULL,
		"what scan, sample or an earlier run left in the store", &o.from_store, NULL},
	{DH_OPT_LIST, 0, "pair", "A,B",
		"two places that may race, each FILE:LINE or\n[MODULE+]0xOFFSET; may be given "
		"again",
		&o.pairs, NULL},
	{DH_OPT_LIST, 0, "tsan-log", "FILE",
		"races and lock cycles that ThreadSanitizer reported, in\nthe text that it wrote; "
		"may be given again",
		&o.logs, NULL},
	{DH_OPT_FLAG, 0, "binary", NULL,
		"a program as it is: synchronisation, and breakpoints at\n--pair, --tsan-log or "
		"--from-store",
		&o.binary, NULL},
	{DH_OPT_STRING, 0, "replay", "ID", "run the schedule of this finding again", &o.replay,
		NULL},
	{DH_OPT_FLAG, 0, "gdb", NULL, "with --replay: in gdb", &o.gdb, NULL},
	{DH_OPT_GROUP, 0, NULL, NULL, "Output", NULL, NULL},
	{DH_OPT_CHOICE, 0, "format", "FORMAT", "text, gcc, json, sarif or html", &o.out.format,
		NULL},
	{DH_OPT_STRING, 'o', "output", "FILE", "write there, not to stdout", &o.out.output, NULL},
	{DH_OPT_CHOICE, 0, "color", "WHEN", "auto, always or never", &o.out.color, dh_color_names},
	{DH_OPT_CHOICE, 0, "fail-on", "LEVEL",
		"exit with 1 for a finding of this level or above\n(default: confirmed), or none",
		&o.fail_on, fail_names},
	{DH_OPT_STRING, 0, "db", "STORE", "default: $DEADHEAT_DB, or " DH_STORE_DEFAULT, &o.db,
		NULL},
	{0},
};

static const struct dh_cmd command = {
	"fuzz",
	"[options] -- PROGRAM [ARG]...",
	"Predicts from a few runs which threads can race, deadlock or come between each other,\n"
	"then schedules the program so that each of these happens, and tells what breaks.",
	"Build the program with 'deadheat cc' in place of the compiler, or with gcc\n"
	"-fsanitize=thread.  Findings go to the store; 'deadheat report' shows them again.\n"
	"\n"
	"Exit status: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage, 3 could not run.",
};

static void on_phase(void *arg, const char *what, uint64_t total)
{
	(void)arg;
	dh_progress_end();
	dh_progress_begin(what, total);
}

static void on_tick(void *arg, uint64_t done, const char *note)
{
	(void)arg;
	dh_progress_update(done, note);
}

static void handle_signals(void)
{
	struct sigaction stop = {.sa_handler = dh_server_stop_all, .sa_flags = (int)SA_RESETHAND};

	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int put_all(const struct dh_findings *found, struct dh_error *err)
{
	struct dh_store *s = NULL;
	int r = found->n ? dh_store_open(dh_store_path(o.db), DH_STORE_CREATE, &s, err) : 0;

	if (!s)
		return r;
	r = dh_store_begin(s, err);
	for (size_t i = 0; r >= 0 && i < found->n; i++)
		r = dh_store_put(s, found->items[i], err);
	if (r >= 0)
		r = dh_store_commit(s, err);
	dh_store_close(s);
	return DH_MIN(r, 0);
}

static void fill_campaign(const struct dh_program *p, const struct dh_fuzz_input *in, char **argv,
	const char *replay, struct dh_campaign_options *ret)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	*ret = (struct dh_campaign_options){.server = {.program = p,
						    .argv = argv,
						    .input = in->fd,
						    .timeout = o.timeout,
						    .preload = o.binary,
						    .max_output = MAX_OUTPUT},
		.strategy = strategies[o.strategy],
		.seeds = o.seeds,
		.first_seed = o.first_seed,
		.schedules = o.schedules,
		.time = o.time,
		.jobs = o.jobs ? o.jobs : (size_t)DH_MAX(processors, 1),
		.depth = (uint32_t)DH_MIN(o.depth, 1000u),
		.compare = o.compare,
		.check = o.check,
		.all_seeds = o.all_seeds,
		.no_exploring = o.from_store,
		.happens_before = o.happens_before,
		.all_accesses = o.all_accesses,
		.program_hash = dh_program_hash(p),
		.input_hash = in->hash,
		.input_size = in->size,
		.replay = replay};
}

static int predict(struct dh_campaign *c, struct dh_error *err)
{
	int r = 0;

	if ((!o.pairs.n && !o.logs.n) || o.binary)
		r = dh_campaign_predict(c, err);
	for (size_t i = 0; r == 0 && i < o.pairs.n; i++)
		r = dh_campaign_pair(c, o.pairs.items[i], err);
	if (r == 0 && o.logs.n)
		r = dh_fuzz_from_logs(c, err);
	if (r == 0)
		dh_campaign_ready(c);
	return r;
}

/* The phases; what was found before an interruption is still worth telling. */
static int run_phases(struct dh_campaign *c, struct dh_findings *ret, struct dh_error *err)
{
	int r = dh_campaign_baseline(c, err);

	if (r < 0)
		return r;
	if (dh_campaign_totals(c).threads < 2) {
		dh_log_warn("the program %s a second thread: there is nothing to schedule",
			dh_campaign_totals(c).first_failure ? "fails before it has" : "never had");
		return 0;
	}
	r = o.from_store ? dh_fuzz_from_store(c, err) : predict(c, err);
	if (r >= 0)
		r = dh_campaign_confirm(c, err);
	if (r >= 0)
		r = dh_campaign_explore(c, err);
	if (r == -EINTR && dh_campaign_totals(c).first_failure)
		dh_campaign_hurry(c);
	else if (r < 0)
		return r;
	return dh_campaign_conclude(c, ret, err);
}

static bool fails(const struct dh_findings *found)
{
	int level = dh_level_parse(fail_names[o.fail_on]);

	for (size_t i = 0; level >= 0 && i < found->n; i++) {
		if (dh_level_urgency(found->items[i]->level) >=
			dh_level_urgency((enum dh_level)level))
			return true;
	}
	return false;
}

/* That another order is possible is worth a line only when it is a race or breaks something. */
static bool worth_listing(const struct dh_finding *f)
{
	return dh_level_is_open(f->level) || dh_log_level() >= DH_LOG_DEBUG ||
	       (f->level == DH_LEVEL_BENIGN && f->kind == DH_KIND_DATA_RACE);
}

/* In text the worst is told in full, and all are listed when there are more; other formats have
 * everything. */
static int show(const struct dh_findings *found, struct dh_error *err)
{
	struct dh_findings full = {found->items, 0, 0}, rest = DH_FINDINGS_INIT;
	DH_FREE uint64_t *rank = dh_new_n(uint64_t, found->n + 1);
	int r = 0;

	if (o.out.format != DH_REPORT_TEXT || o.out.output)
		return dh_output_write(&o.out, found, NULL, err);
	while (full.n < found->n && full.n < FULL_FINDINGS &&
		found->items[full.n]->level >= DH_LEVEL_HARMFUL)
		full.n++;
	for (size_t i = 0; i < found->n; i++) {
		if (!worth_listing(found->items[i]))
			continue;
		rank[rest.n] = i + 1;
		dh_findings_add(&rest, found->items[i]);
	}
	if (full.n)
		r = dh_output_write(&o.out, &full, &(struct dh_report_options){.full = true}, err);
	if (r == 0 && rest.n > full.n)
		r = dh_output_write(&o.out, &rest, &(struct dh_report_options){.rank = rank}, err);
	fflush(stdout);
	if (r == 0 && rest.n < found->n)
		dh_log_info("%zu finding%s that need%s no mending %s not listed; 'deadheat report' "
			    "does",
			found->n - rest.n, found->n - rest.n == 1 ? "" : "s",
			found->n - rest.n == 1 ? "s" : "", found->n - rest.n == 1 ? "is" : "are");
	free(rest.items); /* the findings belong to found */
	return r;
}

static int fuzz(char **argv, struct dh_error *err)
{
	DH_FINDINGS struct dh_findings found = DH_FINDINGS_INIT;
	struct dh_campaign_listener listener = {NULL, on_phase, on_tick};
	struct dh_fuzz_input in = DH_FUZZ_INPUT_INIT;
	struct dh_campaign_options co;
	struct dh_campaign *c = NULL;
	struct dh_program program;
	DH_FREE char *replay = dh_fuzz_replay_command();
	int r = dh_program_look(argv[0], &program, err);

	if (r == 0)
		r = o.binary ? dh_program_check_binary(&program, err)
			     : dh_program_check(&program, err);
	if (r == 0)
		r = dh_fuzz_input_take(STDIN_FILENO, &in, err);
	if (r == 0) {
		fill_campaign(&program, &in, argv, replay, &co);
		r = dh_campaign_new(&co, &listener, &c, err);
	}
	if (r == 0)
		r = run_phases(c, &found, err);
	dh_progress_end();
	if (r == 0)
		r = put_all(&found, err);
	if (r == 0)
		r = show(&found, err);
	if (r == 0) {
		dh_fuzz_summary(c, &found);
		r = fails(&found) ? DH_EXIT_FINDINGS : DH_EXIT_OK;
	}
	dh_campaign_free(c);
	dh_fuzz_input_release(&in);
	return r;
}

static int check_usage(int i, int argc, struct dh_error *err)
{
	if (o.gdb && !o.replay)
		return dh_error_set(err, EINVAL, "--gdb is for --replay");
	if (o.replay && o.from_store)
		return dh_error_set(err, EINVAL, "--replay and --from-store exclude each other");
	if (i >= argc && !o.replay)
		return dh_error_set(err, EINVAL, "which program? (deadheat fuzz -- PROGRAM)");
	if (!o.seeds)
		return dh_error_set(err, EINVAL, "--seeds: at least 1");
	if (o.timeout <= 0)
		return dh_error_set(err, EINVAL, "--timeout: more than 0");
	return 0;
}

int dh_cmd_fuzz(int argc, char **argv)
{
	struct dh_error err = DH_ERROR_INIT;
	int i, r;

	for (size_t k = 0; k < DH_ARRAY_SIZE(options); k++) {
		if (options[k].value == &o.out.format)
			options[k].choices = dh_report_format_names();
	}
	i = dh_opt_parse(&command, options, argc, argv, &err);
	if (i == -ECANCELED)
		return DH_EXIT_OK;
	r = i < 0 ? i : check_usage(i, argc, &err);
	if (r < 0) {
		dh_log_error("%s", dh_error_text(&err, r));
		return DH_EXIT_USAGE;
	}
	handle_signals();
	r = o.replay ? dh_fuzz_replay(argv + i, argc - i, &err) : fuzz(argv + i, &err);
	if (r >= 0)
		return r;
	dh_progress_end();
	dh_log_error("%s", dh_error_text(&err, r));
	return DH_EXIT_FAILED;
}
