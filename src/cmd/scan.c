/* deadheat scan: races and deadlocks in source code, ranked. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/opt.h"
#include "base/progress.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "cmd/scan.h"
#include "model/finding.h"
#include "model/findings.h"
#include "report/report.h"
#include "scan/analysis/table.h"
#include "scan/extract/changed.h"
#include "scan/extract/command.h"
#include "scan/extract/extract.h"
#include "scan/ir/ir.h"
#include "scan/scan.h"
#include "store/store.h"

/* Entries of a list for reading, unless --limit says otherwise. */
#define TEXT_LIMIT 50
#define NO_LIMIT   UINT64_MAX
/* Sources that cannot be compiled are named one by one up to here. */
#define MAX_NAMED 10

static struct {
	struct dh_scan_input in;
	const char *cache, *since, *baseline, *db;
	struct dh_opt_list profiles, configs;
	struct dh_output out;
	uint64_t jobs, limit;
	int mode;
	bool infer, dump;
} opt;

/* As enum dh_scan_mode. */
static const char *const modes[] = {"auto", "pairs", "simple", "statistical", "precise", NULL};

static struct dh_opt options[] = {
	{DH_OPT_GROUP, 0, NULL, NULL, "What to scan", NULL, NULL},
	{DH_OPT_STRING, 'p', "build", "PATH", "a build database, or the folder that has it",
		&opt.in.build, NULL},
	{DH_OPT_UINT, 'j', "jobs", "N", "processes at a time (default: processors)", &opt.jobs,
		NULL},
	{DH_OPT_STRING, 0, "cache", "DIR", "where summaries are kept (default: .deadheat/scan)",
		&opt.cache, NULL},
	{DH_OPT_GROUP, 0, NULL, NULL, "How", NULL, NULL},
	{DH_OPT_LIST, 0, "profile", "NAME",
		"tables of lock functions to use: pthreads, linux,\n"
		"glib (default: by what the program calls)",
		&opt.profiles, NULL},
	{DH_OPT_LIST, 0, "config", "FILE", "further tables, scores and limits", &opt.configs, NULL},
	{DH_OPT_LIST, 0, "stub", "SOURCE", "C or C++ that stands for code that is not there",
		&opt.in.stubs, NULL},
	{DH_OPT_CHOICE, 0, "mode", "MODE",
		"what counts as a race: pairs, simple, statistical,\n"
		"precise (default: pairs; precise for a kernel)",
		&opt.mode, modes},
	{DH_OPT_FLAG, 0, "infer-locks", NULL, "look for unknown lock functions too", &opt.infer,
		NULL},
	{DH_OPT_GROUP, 0, NULL, NULL, "Which findings", NULL, NULL},
	{DH_OPT_STRING, 0, "changed-since", "REV", "only what touches lines changed since then",
		&opt.since, NULL},
	{DH_OPT_STRING, 0, "baseline", "STORE", "only what is not in this store", &opt.baseline,
		NULL},
	{DH_OPT_UINT, 'n', "limit", "N", "show at most N; 0: all (default: 50 for text)",
		&opt.limit, NULL},
	{DH_OPT_GROUP, 0, NULL, NULL, "Output", NULL, NULL},
	{DH_OPT_CHOICE, 0, "format", "FORMAT", "text, gcc, json, sarif or html", &opt.out.format,
		NULL},
	{DH_OPT_STRING, 'o', "output", "FILE", "write there, not to stdout", &opt.out.output, NULL},
	{DH_OPT_CHOICE, 0, "color", "WHEN", "auto, always or never", &opt.out.color,
		dh_color_names},
	{DH_OPT_STRING, 0, "db", "STORE", "default: $DEADHEAT_DB, or " DH_STORE_DEFAULT, &opt.db,
		NULL},
	{DH_OPT_FLAG, 0, "dump", NULL, "print the program as it was understood, and stop",
		&opt.dump, NULL},
	{0},
};

static const struct dh_cmd command = {
	"scan",
	"[options] [-p PATH | SOURCE... [-- FLAG...] | -- BUILD-COMMAND...]",
	"Finds races and deadlocks in C and C++ source, without running it.",
	"deadheat scan -p build            the sources of a build database\n"
	"deadheat scan a.c b.c -- -Iinc    these sources, compiled with these flags\n"
	"deadheat scan -- make -j4         whatever the build compiles\n"
	"deadheat scan                     compile_commands.json here or in build/\n"
	"\n"
	"Findings go to the store as predictions; 'deadheat fuzz' can try to confirm them.\n"
	"Exit status: 0 nothing found, 1 findings, 2 wrong usage, 3 could not run.",
};

static int failed(const struct dh_error *err, int r)
{
	dh_log_error("%s", dh_error_text(err, r));
	return DH_EXIT_FAILED;
}

/* The words before "--", with options anywhere among them; rest is what stands behind it. */
static int parse(int argc, char **argv, struct dh_scan_input *in, struct dh_error *err)
{
	int end = 1;

	while (end < argc && strcmp(argv[end], "--") != 0)
		end++;
	in->rest = end < argc ? argv + end + 1 : NULL;
	argc = end;
	while (argc > 1) {
		int i = dh_opt_parse(&command, options, argc, argv, err);

		if (i < 0)
			return i;
		if (i < argc)
			in->words[in->n++] = argv[i];
		argc -= i;
		argv += i;
	}
	return 0;
}

static bool check_profiles(void)
{
	const char *const *names = dh_scan_profile_names();

	for (size_t i = 0; i < opt.profiles.n; i++) {
		size_t k = 0;

		while (names[k] && strcmp(names[k], opt.profiles.items[i]) != 0)
			k++;
		if (names[k])
			continue;
		dh_log_error("unknown profile '%s'; there are pthreads, linux and glib",
			opt.profiles.items[i]);
		return false;
	}
	return true;
}

static void show_extraction(void *arg, size_t done, size_t total, const char *file)
{
	dh_progress_update(done, file);
}

static void tell_extraction(const struct dh_scan_extraction *e, size_t total, double seconds)
{
	size_t named = DH_MIN(e->n_failures, (size_t)MAX_NAMED);

	for (size_t i = 0; i < named; i++)
		dh_log_warn("%s: left out: %s", e->failures[i].file, e->failures[i].text);
	if (e->n_failures > named)
		dh_log_warn("... and %zu more sources", e->n_failures - named);
	if (e->n_failures)
		dh_log_warn("%zu of %zu sources could not be compiled and are left out",
			e->n_failures, total);
	if (e->lost)
		dh_log_warn("flags of %zu source%s are in a file that cannot be read, %s; without "
			    "them headers and macros may be missing",
			e->lost, e->lost == 1 ? "" : "s", e->first_lost);
	if (e->damaged)
		dh_log_info("%llu files of the cache were damaged or of another version, and "
			    "were made again",
			(unsigned long long)e->damaged);
	dh_log_debug("%zu units in %.3f s, %llu lines; compiled now: %zu%s; functions of headers: "
		     "%llu, used "
		     "%llu times",
		e->units, seconds, (unsigned long long)e->lines, e->compiled,
		!e->compiled  ? ""
		: e->by_clang ? " (clang was loaded once)"
			      : " (clang was loaded for each)",
		(unsigned long long)e->shared, (unsigned long long)e->shared_uses);
}

static unsigned jobs(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return (unsigned)DH_MIN(opt.jobs ? opt.jobs : (uint64_t)DH_MAX(cpus, 1), 1024u);
}

static int extract(const struct dh_scan_commands *c, const char *dir, struct dh_scan_program *p,
	struct dh_scan_extraction *e, struct dh_error *err)
{
	struct dh_scan_extract_options o = {
		.cache = opt.cache ? opt.cache : ".deadheat/scan",
		.root = dir,
		.jobs = jobs(),
		.progress = show_extraction,
	};
	double start = dh_clock_seconds();
	int r;

	dh_progress_begin("reading sources", c->n);
	r = dh_scan_extract(c, &o, p, e, err);
	dh_progress_end();
	if (r < 0)
		return r;
	tell_extraction(e, c->n, dh_clock_seconds() - start);
	if (!e->units)
		return dh_error_set(err, ENODATA, "nothing could be compiled");
	return 0;
}

/* What the analysis found, and what of it is to be shown. */
struct outcome {
	struct dh_findings all, shown;
	const struct dh_scan_changes *changes;
};

static void take(void *arg, struct dh_finding *f)
{
	dh_findings_add(&((struct outcome *)arg)->all, f);
}

static void show_analysis(void *arg, const char *what, uint64_t done, uint64_t total)
{
	dh_progress_update(total ? done * 100 / total : 0, what);
}

static void say_limit(void *arg, const char *text)
{
	dh_log_warn("%s", text);
}

static int analyse(struct dh_scan_program *p, struct outcome *o, struct dh_error *err)
{
	DH_FREE const char **profiles = dh_zalloc((opt.profiles.n + 1) * sizeof(char *));
	DH_FREE const char **configs = dh_zalloc((opt.configs.n + 1) * sizeof(char *));
	struct dh_scan_options options_of = {
		.infer_locks = opt.infer, .mode = (enum dh_scan_mode)opt.mode, .jobs = jobs()};
	struct dh_scan_sink sink = {
		.finding = take, .progress = show_analysis, .note = say_limit, .arg = o};
	int r;

	if (opt.profiles.n) {
		memcpy(profiles, opt.profiles.items, opt.profiles.n * sizeof(char *));
		options_of.profiles = profiles;
	}
	if (opt.configs.n) {
		memcpy(configs, opt.configs.items, opt.configs.n * sizeof(char *));
		options_of.configs = configs;
	}
	dh_progress_begin("analysing", 100);
	r = dh_scan_analyse(p, &options_of, &sink, err);
	dh_progress_end();
	return r;
}

static int put_all(struct dh_store *s, const struct dh_findings *found, struct dh_error *err)
{
	int r = dh_store_begin(s, err);

	for (size_t i = 0; r >= 0 && i < found->n; i++)
		r = dh_store_put(s, found->items[i], err);
	return r < 0 ? r : dh_store_commit(s, err);
}

/* Whether the store has this bug; suppressed: and hides it. */
static bool is_known(struct dh_store *s, const char *fingerprint, bool suppressed)
{
	struct dh_finding *f;
	bool yes;

	if (dh_store_get(s, fingerprint, &f, NULL) < 0)
		return false;
	yes = !suppressed || f->suppressed;
	dh_finding_free(f);
	return yes;
}

/* Moves what is to be shown from all to shown, in order; the rest is freed. */
static void sift(struct outcome *o, struct dh_store *store, struct dh_store *baseline)
{
	for (size_t i = 0; i < o->all.n; i++) {
		struct dh_finding *f = o->all.items[i];

		if ((o->changes && !dh_scan_changes_touch(o->changes, f)) ||
			(baseline && is_known(baseline, f->fingerprint, false)) ||
			is_known(store, f->fingerprint, true))
			dh_finding_free(f);
		else
			dh_findings_add(&o->shown, f);
	}
	o->all.n = 0;
}

static int keep(struct outcome *o, struct dh_error *err)
{
	struct dh_store *store = NULL, *baseline = NULL;
	int r = dh_store_open(dh_store_path(opt.db), DH_STORE_CREATE, &store, err);

	if (r == 0 && opt.baseline)
		r = dh_store_open(opt.baseline, DH_STORE_READ, &baseline, err);
	if (r == 0)
		r = put_all(store, &o->all, err);
	if (r == 0)
		sift(o, store, baseline);
	dh_store_close(baseline);
	dh_store_close(store);
	return r;
}

/* Sources that were left out stand in the report too: a gap must not look like "nothing found". */
static char **skipped_words(const struct dh_scan_extraction *e, const struct dh_scan_commands *c)
{
	char **words = dh_new_n(char *, e->n_failures + 2);
	size_t n = 0;

	for (size_t i = 0; i < e->n_failures; i++)
		words[n++] = dh_asprintf("%s: %s", e->failures[i].file, e->failures[i].text);
	if (c->missing)
		words[n++] = dh_asprintf("%zu sources that are not there", c->missing);
	words[n] = NULL;
	return words;
}

static int show(struct outcome *o, const struct dh_scan_extraction *e,
	const struct dh_scan_commands *c, struct dh_error *err)
{
	char **skipped = skipped_words(e, c);
	struct dh_report_options more = {.skipped = (const char *const *)skipped};
	uint64_t limit = opt.limit != NO_LIMIT              ? opt.limit
			 : opt.out.format == DH_REPORT_TEXT ? TEXT_LIMIT
							    : 0;
	struct dh_findings head = o->shown;
	int r;

	while (skipped[more.n_skipped])
		more.n_skipped++;
	if (limit && head.n > limit)
		head.n = limit;
	r = dh_output_write(&opt.out, &head, &more, err);
	if (r == 0 && head.n < o->shown.n)
		dh_log_info("%zu of %zu findings; --limit 0 shows all of them", head.n, o->shown.n);
	for (size_t i = 0; skipped[i]; i++)
		free(skipped[i]);
	free(skipped);
	return r;
}

static void dump(const struct dh_scan_program *p)
{
	DH_BUF struct dh_buf out = DH_BUF_INIT;

	dh_scan_dump(p, &out);
	fwrite(dh_buf_str(&out), 1, out.len, stdout);
}

static int run(struct outcome *o)
{
	struct dh_error err = DH_ERROR_INIT;
	struct dh_scan_commands commands = {0};
	struct dh_scan_extraction e = {0};
	struct dh_scan_program *p = dh_scan_program_new();
	DH_FREE char *dir = getcwd(NULL, 0);
	int r = dir ? dh_scan_input_collect(&opt.in, dir, &commands, &err) : -errno;

	if (r == 0)
		r = extract(&commands, dir, p, &e, &err);
	if (r == 0 && opt.dump) {
		dump(p);
	} else if (r == 0) {
		r = analyse(p, o, &err);
		if (r == 0)
			r = keep(o, &err);
		if (r == 0)
			r = show(o, &e, &commands, &err);
	}
	dh_scan_program_free(p);
	dh_scan_extraction_release(&e);
	dh_scan_commands_release(&commands);
	if (r < 0)
		return failed(&err, r);
	return o->shown.n ? DH_EXIT_FINDINGS : DH_EXIT_OK;
}

/* git is asked first: a wrong revision must not cost a whole scan. */
static int dispatch(void)
{
	struct dh_error err = DH_ERROR_INIT;
	struct outcome o = {0};
	struct dh_scan_changes changes;
	const char *wrong = dh_scan_input_misuse(&opt.in);
	int r = 0;

	if (wrong) {
		dh_log_error("%s (deadheat scan --help)", wrong);
		return DH_EXIT_USAGE;
	}
	if (!check_profiles())
		return DH_EXIT_USAGE;
	dh_scan_changes_init(&changes);
	if (opt.since) {
		r = dh_scan_changes_load(&changes, opt.since, &err);
		o.changes = &changes;
	}
	r = r < 0 ? failed(&err, r) : run(&o);
	dh_scan_changes_release(&changes);
	dh_findings_release(&o.all);
	dh_findings_release(&o.shown);
	return r;
}

int dh_cmd_scan(int argc, char **argv)
{
	struct dh_error err = DH_ERROR_INIT;
	DH_FREE char **words = dh_new_n(char *, (size_t)argc + 1);
	int r;

	for (struct dh_opt *o = options; o->help; o++) {
		if (o->value == &opt.out.format)
			o->choices = dh_report_format_names();
	}
	opt.limit = NO_LIMIT;
	opt.in.words = words;
	r = parse(argc, argv, &opt.in, &err);
	if (r == -ECANCELED) /* --help */
		return DH_EXIT_OK;
	if (r < 0) {
		dh_log_error("%s", err.text);
		return DH_EXIT_USAGE;
	}
	return dispatch();
}
