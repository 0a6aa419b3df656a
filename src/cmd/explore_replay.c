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
#include "cmd/cmd.h"
#include "cmd/explore.h"
#include "explore/finding.h"
#include "explore/history.h"
#include "explore/race.h"
#include "model/finding.h"
#include "store/store.h"
#include "trace/list.h"
#include "trace/meta.h"

#define o       dh_explore_opt
#define VERSION "explore/1"

/* The schedule: where the recording is, which race, and what was watched; one thing per line. */
static const char *schedule_of(struct dh_finding *f, const struct dh_race *r)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	char *dir = realpath(o.dir, NULL);

	dh_buf_addf(&b, VERSION "\ndir %s\nrace %d %u %u %u %u %d\n", dir ? dir : o.dir,
		(int)r->kind, r->n_calls, r->calls[0], r->calls[1], r->calls[2], r->late);
	free(dir);
	if (o.check)
		dh_buf_addf(&b, "check %s\n", o.check);
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

static void add_verdict(struct dh_finding *f, const struct dh_race *r, const struct dh_verdict *v)
{
	const char *path = dh_store_path(o.db);
	DH_FREE char *reproduce =
		strcmp(path, DH_STORE_DEFAULT) == 0
			? dh_asprintf("deadheat explore --replay %s", f->id)
			: dh_asprintf("deadheat explore --db %s --replay %s", path, f->id);
	struct dh_evidence e = {.level = levels[v->kind],
		.by = "explore",
		.when = time(NULL),
		.budget = "{\"executions\":1}",
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
	f->schedule = schedule_of(f, r);
	for (size_t i = 0; i < f->n_sites && r->n_calls == 2; i++)
		f->sites[i].order = i ? "runs first in the failing order" : "runs second";
}

struct dh_finding *dh_explore_finding(
	const struct dh_history *h, const struct dh_race *r, const struct dh_verdict *v)
{
	struct dh_finding *f = dh_race_finding(h, r, v && v->kind == DH_VERDICT_HARMFUL);

	dh_finding_seal(f);
	if (v)
		add_verdict(f, r, v);
	return f;
}

struct again {
	char *dir;
	struct dh_race race;
};

static int read_line(struct again *a, char *line, struct dh_error *err)
{
	int kind, late;
	struct dh_race *r = &a->race;

	if (strncmp(line, "dir ", 4) == 0) {
		a->dir = line + 4;
	} else if (strncmp(line, "check ", 6) == 0) {
		o.check = line + 6;
	} else if (strncmp(line, "log ", 4) == 0) {
		o.log_errors = line + 4;
	} else if (strncmp(line, "same ", 5) == 0) {
		DH_GROW(o.same.items, o.same.n, o.same.cap);
		o.same.items[o.same.n++] = line + 5;
	} else if (sscanf(line, "race %d %u %u %u %u %d", &kind, &r->n_calls, &r->calls[0],
			   &r->calls[1], &r->calls[2], &late) == 6) {
		if (kind < 0 || kind >= DH_RACE_KIND_COUNT || r->n_calls < 2 ||
			r->n_calls > DH_RACE_CALLS)
			return dh_error_set(err, EBADMSG, "the finding's schedule is damaged");
		r->kind = (enum dh_race_kind)kind;
		r->late = late;
		r->object = UINT32_MAX;
	}
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
	if (r == 0 && (!ret->dir || !ret->race.n_calls))
		r = dh_error_set(err, EBADMSG, "the finding's schedule is damaged");
	return r;
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

static bool in_bounds(const struct dh_history *h, const struct dh_race *r)
{
	for (uint32_t i = 0; i < r->n_calls; i++) {
		if (r->calls[i] >= h->n_calls)
			return false;
	}
	return true;
}

static int run_again(struct again *a, struct dh_verdict *v, struct dh_error *err)
{
	struct dh_explore_options eo;
	struct dh_trace_meta meta = {0};
	struct dh_history *h = NULL;
	DH_FREE char *to = NULL;
	int r = dh_trace_meta_read(a->dir, &meta, err);

	if (r == 0)
		r = dh_history_load(a->dir, &h, err);
	if (r == 0 && !in_bounds(h, &a->race))
		r = dh_error_set(
			err, EBADMSG, "the finding belongs to another recording than %s", a->dir);
	if (r == 0)
		r = dh_trace_list_new(NULL, meta.argv[0], &to, err);
	if (r == 0) {
		DH_BUF struct dh_buf title = DH_BUF_INIT;

		dh_explore_fill(&eo, a->dir);
		eo.argv = meta.argv;
		eo.cwd = meta.cwd;
		dh_race_title(h, &a->race, &title);
		dh_log_info("turning around: %s", dh_buf_str(&title));
		r = dh_explore_again(&eo, h, &a->race, to, v, err);
	}
	dh_history_free(h);
	dh_trace_meta_release(&meta);
	return r;
}

int dh_explore_replay(struct dh_error *err)
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
	if (r == 0)
		r = run_again(&a, &v, err);
	dh_finding_free(f);
	if (r < 0) {
		dh_log_error("%s", dh_error_text(err, r));
		return DH_EXIT_FAILED;
	}
	printf("%s%s%s\n", dh_verdict_name(v.kind), v.detail[0] ? ": " : "", v.detail);
	if (v.recording[0])
		dh_log_info("step through it: deadheat replay --gdb %s", v.recording);
	return v.kind == DH_VERDICT_HARMFUL ? DH_EXIT_FINDINGS : DH_EXIT_OK;
}
