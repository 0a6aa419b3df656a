/* deadheat report: list, show, filter, suppress, export and merge findings. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/opt.h"
#include "cmd/cmd.h"
#include "cmd/report.h"
#include "model/findings.h"
#include "report/report.h"
#include "store/import.h"

#define MAX_IMPORT ((size_t)1 << 30)

struct dh_report_opt dh_report_opt;
#define opt dh_report_opt

/* The choices of --format stand in report/; the table below is filled in before it is used. */
static struct dh_opt options[] = {
	{DH_OPT_GROUP, 0, NULL, NULL, "Which findings", NULL, NULL},
	{DH_OPT_LIST, 'k', "kind", "KIND[,...]", "only these kinds", &opt.kinds, NULL},
	{DH_OPT_LIST, 'l', "level", "LEVEL[,...]", "only these levels; LEVEL+ is it and above",
		&opt.levels, NULL},
	{DH_OPT_STRING, 'f', "file", "PATTERN", "only those with a site in such a file", &opt.file,
		NULL},
	{DH_OPT_STRING, 0, "origin", "NAME", "only those that this command spoke of", &opt.origin,
		NULL},
	{DH_OPT_STRING, 0, "since", "STORE", "only those that are not in the other store",
		&opt.since, NULL},
	{DH_OPT_UINT, 'n', "limit", "N", "at most N; 0: all (default: 50 for text)", &opt.limit,
		NULL},
	{DH_OPT_FLAG, 'a', "suppressed", NULL, "suppressed ones too", &opt.suppressed, NULL},
	{DH_OPT_GROUP, 0, NULL, NULL, "Output", NULL, NULL},
	{DH_OPT_CHOICE, 0, "format", "FORMAT", "text, gcc, json, sarif or html", &opt.out.format,
		NULL},
	{DH_OPT_STRING, 'o', "output", "FILE", "write there, not to stdout", &opt.out.output, NULL},
	{DH_OPT_CHOICE, 0, "color", "WHEN", "auto, always or never", &opt.out.color,
		dh_color_names},
	{DH_OPT_CHOICE, 0, "fail-on", "LEVEL",
		"exit with 1 for a listed finding of this level or\n"
		"above (default: predicted), or none",
		&opt.fail_on, dh_report_fail_names},
	{DH_OPT_GROUP, 0, NULL, NULL, "Suppressions", NULL, NULL},
	{DH_OPT_LIST, 0, "suppressions", "FILE", "hide what fits a line of this TSan-style file",
		&opt.suppressions, NULL},
	{DH_OPT_LIST, 0, "suppress", "ID", "hide this one from now on", &opt.suppress, NULL},
	{DH_OPT_LIST, 0, "unsuppress", "ID", "show it again", &opt.unsuppress, NULL},
	{DH_OPT_STRING, 0, "reason", "TEXT", "why, for --suppress", &opt.reason, NULL},
	{DH_OPT_GROUP, 0, NULL, NULL, "The store", NULL, NULL},
	{DH_OPT_STRING, 0, "db", "STORE", "default: $DEADHEAT_DB, or " DH_STORE_DEFAULT, &opt.db,
		NULL},
	{DH_OPT_LIST, 0, "import", "FILE", "first add the findings of this JSON report",
		&opt.import, NULL},
	{0},
};

static const struct dh_cmd command = {
	"report",
	"[list] [options] | show ID... | merge STORE...",
	"Lists, shows, filters, suppresses, exports and merges findings.",
	"list           the findings in order of rank, with the reasons for it (default)\n"
	"show ID...     everything that is known about these; an id may be cut short\n"
	"merge STORE... add the findings of other stores to this one\n"
	"\n"
	"Kinds: data-race, deadlock, lock-misuse, blocking-in-atomic, atomicity-violation,\n"
	"signal-race, process-race, order-violation.  Levels: predicted, observed, confirmed,\n"
	"harmful, explained; benign and refuted for what needs no mending.\n"
	"\n"
	"Exit status of list: 0 nothing listed at or above --fail-on, 1 something.",
};

/* An id that cannot be one is wrong usage; one that is not there is not. */
static bool bad_id;

static int failed(const struct dh_error *err, int r)
{
	dh_log_error("%s", dh_error_text(err, r));
	return bad_id ? DH_EXIT_USAGE : DH_EXIT_FAILED;
}

static int misused(const char *what, const char *word, const char *const *names)
{
	const char *near = dh_opt_nearest(word, names);

	if (near)
		dh_log_error("unknown %s '%s'; did you mean '%s'? (deadheat report --help)", what,
			word, near);
	else
		dh_log_error("unknown %s '%s' (deadheat report --help)", what, word);
	return -EINVAL;
}

static int add_level(char *word, uint32_t *mask)
{
	size_t n = strlen(word);
	bool above = n && word[n - 1] == '+';
	int level;

	if (above)
		word[n - 1] = 0;
	level = dh_level_parse(word);
	if (level < 0)
		return misused("level", word, dh_level_names());
	*mask |= above ? dh_report_levels_from((enum dh_level)level) : 1u << level;
	return 0;
}

static int add_kind(char *word, uint32_t *mask)
{
	int kind = dh_kind_parse(word);

	if (kind < 0)
		return misused("kind", word, dh_kind_names());
	*mask |= 1u << kind;
	return 0;
}

/* Lists within the list: --kind a,b --kind c. */
static int parse_words(
	const struct dh_opt_list *list, int (*add)(char *word, uint32_t *mask), uint32_t *ret)
{
	for (size_t i = 0; i < list->n; i++) {
		DH_FREE char *words = dh_strdup(list->items[i]);
		char *rest = words, *word;

		while ((word = strsep(&rest, ","))) {
			if (add(word, ret) < 0)
				return -EINVAL;
		}
	}
	return 0;
}

static int open_store(enum dh_store_mode mode, struct dh_store **ret, struct dh_error *err)
{
	return dh_store_open(dh_store_path(opt.db), mode, ret, err);
}

static int resolve(struct dh_store *s, const char *id, char ret[33], struct dh_error *err)
{
	int r = dh_store_resolve(s, id, ret, err);

	bad_id = r == -EINVAL;
	return r;
}

static int write_report(
	const struct dh_findings *found, bool full, const uint64_t *rank, struct dh_error *err)
{
	return dh_output_write(
		&opt.out, found, &(struct dh_report_options){.full = full, .rank = rank}, err);
}

static int fill_query(struct dh_store_query *q)
{
	*q = (struct dh_store_query){
		.file = opt.file,
		.origin = opt.origin,
		.suppressed = opt.suppressed,
		.not_in_since = opt.since,
	};
	if (parse_words(&opt.kinds, add_kind, &q->kinds) < 0)
		return -EINVAL;
	return parse_words(&opt.levels, add_level, &q->levels);
}

static int show_one(struct dh_store *s, const char *id, struct dh_findings *found, uint64_t *rank,
	struct dh_error *err)
{
	struct dh_finding *f;
	char fp[33];
	int r = resolve(s, id, fp, err);

	if (r == 0)
		r = dh_store_rank(s, fp, rank, err);
	if (r == 0)
		r = dh_store_get(s, fp, &f, err);
	if (r == 0)
		dh_findings_add(found, f);
	return r;
}

static int run_show(char **ids, size_t n)
{
	struct dh_error err = DH_ERROR_INIT;
	struct dh_findings found = DH_FINDINGS_INIT;
	DH_FREE uint64_t *ranks = dh_new_n(uint64_t, n);
	struct dh_store *s = NULL;
	int r = open_store(DH_STORE_READ, &s, &err);

	for (size_t i = 0; r == 0 && i < n; i++)
		r = show_one(s, ids[i], &found, &ranks[i], &err);
	if (r == 0)
		r = write_report(&found, true, ranks, &err);
	dh_findings_release(&found);
	dh_store_close(s);
	return r < 0 ? failed(&err, r) : DH_EXIT_OK;
}

static int run_merge(char **stores, size_t n)
{
	struct dh_error err = DH_ERROR_INIT;
	struct dh_store_merged sum = {0}, one;
	struct dh_store *s = NULL;
	int r = open_store(DH_STORE_CREATE, &s, &err);

	/* All of them or none. */
	if (r == 0)
		r = dh_store_begin(s, &err);
	for (size_t i = 0; r == 0 && i < n; i++) {
		r = dh_store_merge(s, stores[i], &one, &err);
		if (r == 0) {
			sum.findings += one.findings;
			sum.added += one.added;
		}
	}
	if (r == 0)
		r = dh_store_commit(s, &err);
	dh_store_close(s);
	if (r < 0)
		return failed(&err, r);
	dh_log_info("%s: read %llu findings from %zu stores, %llu of them new",
		dh_store_path(opt.db), (unsigned long long)sum.findings, n,
		(unsigned long long)sum.added);
	return DH_EXIT_OK;
}

static int import_file(
	struct dh_store *s, const char *path, uint64_t counts[2], struct dh_error *err)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	DH_FINDINGS struct dh_findings found = DH_FINDINGS_INIT;
	int r = dh_read_file(path, MAX_IMPORT, &text, err);

	if (r < 0)
		return r;
	r = dh_import_json(dh_buf_str(&text), text.len, &found, err);
	for (size_t i = 0; r >= 0 && i < found.n; i++) {
		r = dh_store_put(s, found.items[i], err);
		if (r >= 0)
			counts[r]++;
	}
	return r < 0 ? dh_error_prefix(err, r, "%s", path) : 0;
}

static int mark(
	struct dh_store *s, const struct dh_opt_list *ids, bool suppressed, struct dh_error *err)
{
	char fp[33];
	int r = 0;

	for (size_t i = 0; r == 0 && i < ids->n; i++) {
		r = resolve(s, ids->items[i], fp, err);
		if (r == 0)
			r = dh_store_suppress(s, fp, suppressed, opt.reason, 0, err);
		if (r == 0)
			dh_log_info("%.12s is %s", fp,
				suppressed ? "suppressed (--unsuppress shows it again)"
					   : "shown again");
	}
	return r;
}

/* --import, --suppress and --unsuppress, as one batch. */
static int run_changes(void)
{
	struct dh_error err = DH_ERROR_INIT;
	uint64_t counts[2] = {0};
	struct dh_store *s = NULL;
	int r = open_store(opt.import.n ? DH_STORE_CREATE : DH_STORE_WRITE, &s, &err);

	if (r == 0)
		r = dh_store_begin(s, &err);
	for (size_t i = 0; r == 0 && i < opt.import.n; i++)
		r = import_file(s, opt.import.items[i], counts, &err);
	if (r == 0)
		r = mark(s, &opt.suppress, true, &err);
	if (r == 0)
		r = mark(s, &opt.unsuppress, false, &err);
	if (r == 0)
		r = dh_store_commit(s, &err);
	dh_store_close(s);
	if (r < 0)
		return failed(&err, r);
	if (opt.import.n)
		dh_log_info("%s: %llu findings imported, %llu of them new", dh_store_path(opt.db),
			(unsigned long long)(counts[0] + counts[1]), (unsigned long long)counts[1]);
	return DH_EXIT_OK;
}

/* Options may stand before and behind the verb and its operands. */
static int parse(int argc, char **argv, char **words, size_t *ret_n, struct dh_error *err)
{
	bool rest = false;
	size_t n = 0;

	while (argc > 1) {
		int i = rest ? 1 : dh_opt_parse(&command, options, argc, argv, err);

		if (i < 0)
			return i;
		rest = rest || strcmp(argv[i - 1], "--") == 0;
		if (i < argc)
			words[n++] = argv[i];
		argc -= i;
		argv += i;
	}
	*ret_n = n;
	return 0;
}

static void set_up(void)
{
	for (struct dh_opt *o = options; o->help; o++) {
		if (o->value == &opt.out.format)
			o->choices = dh_report_format_names();
	}
	opt.limit = DH_REPORT_NO_LIMIT;
	/* A limit of the file size is then an error of the write, which is said. */
	signal(SIGXFSZ, SIG_IGN);
}

enum verb { VERB_LIST, VERB_SHOW, VERB_MERGE };

/* The verb, or -EINVAL. */
static int parse_verb(char **words, size_t n)
{
	static const char *const verbs[] = {"list", "show", "merge", NULL};
	int verb = VERB_LIST;

	if (!n)
		return VERB_LIST;
	while (verbs[verb] && strcmp(verbs[verb], words[0]) != 0)
		verb++;
	if (!verbs[verb])
		return misused("verb", words[0], verbs);
	if (verb == VERB_LIST && n > 1)
		dh_log_error("list takes no operand, but '%s' is one (deadheat report --help)",
			words[1]);
	else if (verb != VERB_LIST && n == 1)
		dh_log_error("%s what? (deadheat report --help)", words[0]);
	else
		return verb;
	return -EINVAL;
}

static int dispatch(char **words, size_t n)
{
	struct dh_error err = DH_ERROR_INIT;
	bool changes = opt.import.n || opt.suppress.n || opt.unsuppress.n;
	struct dh_store_query q;
	int verb = parse_verb(words, n), r;

	if (verb < 0 || fill_query(&q) < 0)
		return DH_EXIT_USAGE;
	r = changes ? run_changes() : DH_EXIT_OK;
	if (r != DH_EXIT_OK || (changes && !n))
		return r;
	if (verb == VERB_SHOW)
		return run_show(words + 1, n - 1);
	if (verb == VERB_MERGE)
		return run_merge(words + 1, n - 1);
	r = dh_report_list(&q, &err);
	if (r < 0)
		return failed(&err, r);
	return r ? DH_EXIT_FINDINGS : DH_EXIT_OK;
}

int dh_cmd_report(int argc, char **argv)
{
	struct dh_error err = DH_ERROR_INIT;
	DH_FREE char **words = dh_new_n(char *, (size_t)argc);
	size_t n = 0;
	int r;

	set_up();
	r = parse(argc, argv, words, &n, &err);
	if (r == -ECANCELED) /* --help */
		return DH_EXIT_OK;
	if (r < 0) {
		dh_log_error("%s", err.text);
		return DH_EXIT_USAGE;
	}
	return dispatch(words, n);
}
