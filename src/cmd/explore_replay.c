/* deadheat explore: findings that can be shown again, and showing them (--replay). */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "cmd/cmd.h"
#include "cmd/explore.h"
#include "explore/branch.h"
#include "explore/finding.h"
#include "explore/history.h"
#include "explore/race.h"
#include "model/finding.h"
#include "store/store.h"
#include "trace/list.h"
#include "trace/meta.h"

#define o       dh_explore_opt
#define VERSION "explore/1"
/* Two for each race that was turned around on the way. */
#define ORDERS_MAX 64

static void add_race(struct dh_buf *b, const char *word, const struct dh_race *r)
{
	dh_buf_addf(b, "%s %d %u %u %u %u %d\n", word, (int)r->kind, r->n_calls, r->calls[0],
		r->calls[1], r->calls[2], r->late);
}

static void add_dir(struct dh_buf *b, const char *word, const char *path)
{
	DH_FREE char *dir = realpath(path, NULL);

	dh_buf_addf(b, "%s %s\n", word, dir ? dir : path);
}

/* A command may have several lines: those behind the first have a "+" at their word. */
static void add_command(struct dh_buf *b, const char *word, const char *command)
{
	for (const char *more = ""; command; more = "+") {
		size_t n = strcspn(command, "\n");

		dh_buf_addf(b, "%s%s %.*s\n", word, more, (int)n, command);
		command = command[n] ? command + n + 1 : NULL;
	}
}

/* The schedule: where the recording is, which race, and what was watched; one thing per line.  A
 * race of a branch has the branch's recording and what is in order there, too. */
static const char *schedule_of(
	struct dh_finding *f, const struct dh_trial *t, const struct dh_verdict *v)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	dh_buf_adds(&b, VERSION "\n");
	add_dir(&b, "dir", o.dir);
	if (t->before)
		add_dir(&b, "branch", t->dir);
	for (uint32_t i = 0; i < t->n_orders; i++)
		dh_buf_addf(&b, "order %u %u\n", t->orders[i].first, t->orders[i].then);
	add_race(&b, "race", t->race);
	if (v->kept)
		dh_buf_adds(&b, "kept\n");
	if (v->recorded)
		dh_buf_adds(&b, "recorded\n");
	if (v->ordered)
		dh_buf_adds(&b, "ordered\n");
	add_command(&b, "check", o.check);
	add_command(&b, "during", o.during);
	if (o.log_errors)
		dh_buf_addf(&b, "log %s\n", o.log_errors);
	for (size_t i = 0; i < o.same.n; i++)
		dh_buf_addf(&b, "same %s\n", o.same.items[i]);
	return dh_finding_strdup(f, dh_buf_str(&b));
}

static const enum dh_level levels[DH_VERDICT_COUNT] = {
	[DH_VERDICT_DIVERGED] = DH_LEVEL_REFUTED,
	[DH_VERDICT_BENIGN] = DH_LEVEL_BENIGN,
	[DH_VERDICT_HARMFUL] = DH_LEVEL_HARMFUL,
	[DH_VERDICT_FAILED] = DH_LEVEL_PREDICTED,
};

static void add_verdict(struct dh_finding *f, const struct dh_trial *t, const struct dh_verdict *v)
{
	const char *path = dh_store_path(o.db);
	DH_FREE char *reproduce =
		strcmp(path, DH_STORE_DEFAULT) == 0
			? dh_asprintf("deadheat explore --replay %s", f->id)
			: dh_asprintf("deadheat explore --db %s --replay %s", path, f->id);
	DH_FREE char *budget = dh_asprintf("{\"executions\":%d}", DH_MAX(v->tries, 1));
	struct dh_evidence e = {.level = levels[v->kind],
		.by = "explore",
		.when = time(NULL),
		.budget = budget,
		.tries = (uint64_t)DH_MAX(v->tries, 0),
		.hits = (uint64_t)DH_MAX(v->hits, 0),
		.reproduce = reproduce,
		.note = v->detail[0] ? v->detail : NULL};

	if (v->kind == DH_VERDICT_FAILED)
		return;
	dh_finding_add_evidence(f, &e);
	if (v->kind != DH_VERDICT_HARMFUL)
		return;
	f->failure = (struct dh_failure){
		.what = dh_finding_strdup(f, dh_outcome_failure_name(v->failure)),
		.detail = dh_finding_strdup(f, v->detail)};
	f->schedule = schedule_of(f, t, v);
	for (size_t i = 0; i < f->n_sites && t->race->n_calls == 2; i++)
		f->sites[i].order = f->steps[0].site == (int)i ? "runs first in the failing order"
							       : "runs second";
}

/* How sure it is, where that needs words. */
static void add_proof(struct dh_finding *f, const struct dh_trial *t, const struct dh_verdict *v)
{
	for (const struct dh_trial *b = t->before; b; b = b->before) {
		DH_BUF struct dh_buf title = DH_BUF_INIT;

		dh_race_title(b->h, b->race, &title);
		dh_finding_add_reason(
			f, "only after another race was turned around: %s", dh_buf_str(&title));
	}
	if (!v || v->kind != DH_VERDICT_HARMFUL)
		return;
	if (v->recorded)
		dh_finding_add_reason(f,
			"the recorded order is the one that fails: kept, it fails every time; "
			"turned around, the failure stayed away in %d of %d runs",
			v->hits, v->tries);
	else if (v->kept)
		dh_finding_add_reason(f,
			"the program is flaky by itself; with everything else in the recorded "
			"order it fails in %d of %d runs when this is turned around, and never "
			"when it is not",
			v->hits, v->tries);
	else if (v->ordered)
		dh_finding_add_reason(f,
			"fails in %d of %d runs in which what comes behind keeps the recorded "
			"order; "
			"in another order it may be mended by what comes next",
			v->hits, v->tries);
}

struct dh_finding *dh_explore_finding(const struct dh_trial *t, const struct dh_verdict *v)
{
	bool turned = v && v->kind == DH_VERDICT_HARMFUL && !v->recorded;
	struct dh_finding *f = dh_race_finding(t->h, t->race, turned);

	dh_finding_seal(f);
	add_proof(f, t, v);
	if (v)
		add_verdict(f, t, v);
	return f;
}

struct again {
	char *dir, *branch;
	struct dh_race race;
	struct dh_branch_order orders[ORDERS_MAX];
	uint32_t n_orders;
	struct dh_buf check, during;
	bool kept, recorded, ordered;
};

static int damaged(struct dh_error *err)
{
	return dh_error_set(err, EBADMSG, "the finding's schedule is damaged");
}

static int read_race(struct again *a, const char *line, struct dh_error *err)
{
	struct dh_race *r = &a->race;
	int kind, late;

	if (sscanf(line, "%d %u %u %u %u %d", &kind, &r->n_calls, &r->calls[0], &r->calls[1],
		    &r->calls[2], &late) != 6 ||
		kind < 0 || kind >= DH_RACE_KIND_COUNT || r->n_calls < 2 ||
		r->n_calls > DH_RACE_CALLS)
		return damaged(err);
	r->kind = (enum dh_race_kind)kind;
	r->late = late;
	r->object = UINT32_MAX;
	return 0;
}

static int read_order(struct again *a, const char *line, struct dh_error *err)
{
	struct dh_branch_order *x = &a->orders[a->n_orders];

	if (a->n_orders == ORDERS_MAX || sscanf(line, "%u %u", &x->first, &x->then) != 2)
		return damaged(err);
	a->n_orders++;
	return 0;
}

static void read_command(struct dh_buf *b, const char *line, bool more)
{
	if (more)
		dh_buf_addc(b, '\n');
	dh_buf_adds(b, line);
}

static int read_line(struct again *a, char *line, struct dh_error *err)
{
	char *rest = line + strcspn(line, " ");

	if (*rest)
		*rest++ = '\0';
	if (strcmp(line, "dir") == 0) {
		a->dir = rest;
	} else if (strcmp(line, "branch") == 0) {
		a->branch = rest;
	} else if (strcmp(line, "check") == 0 || strcmp(line, "check+") == 0) {
		read_command(&a->check, rest, line[strlen("check")] == '+');
	} else if (strcmp(line, "during") == 0 || strcmp(line, "during+") == 0) {
		read_command(&a->during, rest, line[strlen("during")] == '+');
	} else if (strcmp(line, "log") == 0) {
		o.log_errors = rest;
	} else if (strcmp(line, "same") == 0) {
		DH_GROW(o.same.items, o.same.n, o.same.cap);
		o.same.items[o.same.n++] = rest;
	} else if (strcmp(line, "race") == 0) {
		return read_race(a, rest, err);
	} else if (strcmp(line, "order") == 0) {
		return read_order(a, rest, err);
	}
	a->kept |= strcmp(line, "kept") == 0;
	a->recorded |= strcmp(line, "recorded") == 0;
	a->ordered |= strcmp(line, "ordered") == 0;
	return 0;
}

/* The text stays the caller's, and what is read from it borrows from it. */
static int read_schedule(char *text, struct again *ret, struct dh_error *err)
{
	char *save = NULL, *line = strtok_r(text, "\n", &save);
	int r = 0;

	if (!line || strcmp(line, VERSION) != 0)
		return dh_error_set(err, EBADMSG, "the finding's schedule is not one of explore");
	while (r == 0 && (line = strtok_r(NULL, "\n", &save)))
		r = read_line(ret, line, err);
	if (ret->check.len)
		o.check = dh_buf_str(&ret->check);
	if (ret->during.len)
		o.during = dh_buf_str(&ret->during);
	return r == 0 && (!ret->dir || !ret->race.n_calls) ? damaged(err) : r;
}

static int find(struct dh_finding **ret, struct dh_error *err)
{
	int r = dh_store_get_from(dh_store_path(o.db), o.replay, ret, err);

	if (r == 0 && !(*ret)->schedule) {
		dh_finding_free(*ret);
		*ret = NULL;
		r = dh_error_set(err, ENODATA,
			"finding %s has no order that breaks: only harmful races can be shown "
			"again",
			o.replay);
	}
	return r;
}

static bool in_bounds(const struct dh_history *h, const struct again *a)
{
	for (uint32_t i = 0; i < a->race.n_calls; i++) {
		if (a->race.calls[i] >= h->n_calls)
			return false;
	}
	for (uint32_t i = 0; i < a->n_orders; i++) {
		if (a->orders[i].first >= h->n_calls || a->orders[i].then >= h->n_calls)
			return false;
	}
	return true;
}

static int run_trial(struct again *a, const struct dh_history *h, const struct dh_trace_meta *meta,
	struct dh_verdict *v, struct dh_error *err)
{
	struct dh_trial t = {.h = h,
		.race = &a->race,
		.dir = a->branch ? a->branch : a->dir,
		.orders = a->orders,
		.n_orders = a->n_orders};
	struct dh_explore_options eo;
	DH_FREE char *to = NULL;
	int r = dh_trace_list_new(NULL, meta->argv[0], &to, err);

	if (r < 0)
		return r;
	dh_explore_fill(&eo, a->dir);
	eo.argv = meta->argv;
	eo.cwd = meta->cwd;
	eo.kept = a->kept;
	eo.ordered = a->ordered;
	return dh_explore_again(&eo, &t, a->recorded, to, v, err);
}

static int run_again(struct again *a, struct dh_verdict *v, struct dh_error *err)
{
	struct dh_trace_meta meta = {0};
	struct dh_history *h = NULL;
	int r = dh_trace_meta_read(a->dir, &meta, err);

	if (r == 0)
		r = dh_history_load(a->branch ? a->branch : a->dir, &h, err);
	if (r == 0 && !in_bounds(h, a))
		r = dh_error_set(
			err, EBADMSG, "the finding belongs to another recording than %s", a->dir);
	if (r == 0)
		r = run_trial(a, h, &meta, v, err);
	dh_history_free(h);
	dh_trace_meta_release(&meta);
	return r;
}

/* The recording has all files that were made on the way, so gdb finds what ran, not what is here.
 */
static int open_gdb(const struct dh_verdict *v, char *const *args, struct dh_error *err)
{
	if (v->pid)
		dh_log_info("gdb on process %u; 'deadheat replay --ps %s' lists the others", v->pid,
			v->recording);
	return dh_replay_gdb(v->recording, v->pid, args, err);
}

static int show(const struct dh_verdict *v, char *const *args, struct dh_error *err)
{
	char pid[24] = "";
	int r = 0;

	if (v->pid)
		snprintf(pid, sizeof(pid), " --pid %u", v->pid);
	printf("%s%s%s\n", dh_verdict_name(v->kind), v->detail[0] ? ": " : "", v->detail);
	fflush(stdout);
	if (v->kind != DH_VERDICT_HARMFUL && o.gdb)
		return dh_error_set(err, ENODATA, "it did not fail this time: nothing for gdb");
	if (o.gdb)
		r = open_gdb(v, args, err);
	else if (v->kind == DH_VERDICT_HARMFUL)
		dh_log_info("step through it: deadheat replay --gdb%s %s", pid, v->recording);
	if (r < 0)
		return r;
	return v->kind == DH_VERDICT_HARMFUL ? DH_EXIT_FINDINGS : DH_EXIT_OK;
}

int dh_explore_replay(char *const *gdb_args, struct dh_error *err)
{
	struct dh_finding *f = NULL;
	struct again a = {0};
	struct dh_verdict v = {0};
	DH_FREE char *text = NULL;
	int r = find(&f, err);

	if (r == 0) {
		text = dh_strdup(f->schedule);
		r = read_schedule(text, &a, err);
	}
	if (r == 0) {
		dh_log_info("%s: %s",
			a.recorded ? "in the recorded order, and turned around" : "turning around",
			f->title);
		r = run_again(&a, &v, err);
		dh_progress_end();
	}
	dh_finding_free(f);
	dh_buf_release(&a.check);
	dh_buf_release(&a.during);
	if (r == 0)
		r = show(&v, gdb_args, err);
	if (r >= 0)
		return r;
	dh_log_error("%s", r == -EINTR ? "interrupted" : dh_error_text(err, r));
	return DH_EXIT_FAILED;
}
