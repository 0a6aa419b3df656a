/* The list of deadheat report: what the query and the suppression files leave, and what it fails
 * on. */
#include "cmd/report.h"

#include <stddef.h>

#include "base/error.h"
#include "base/log.h"
#include "model/findings.h"
#include "report/report.h"
#include "store/suppress.h"

/* Entries of a list for reading, unless --limit says otherwise. */
#define TEXT_LIMIT 50

const char *const dh_report_fail_names[] = {
	"predicted", "observed", "confirmed", "harmful", "explained", "none", NULL};

#define opt dh_report_opt

uint32_t dh_report_levels_from(enum dh_level level)
{
	uint32_t mask = 0;

	for (int i = 0; i < DH_LEVEL_COUNT; i++) {
		if (dh_level_urgency((enum dh_level)i) >= dh_level_urgency(level))
			mask |= 1u << i;
	}
	return mask;
}

/* What a list came to. */
struct listing {
	struct dh_findings found; /* what is shown */
	uint64_t total;           /* what would be shown without a limit */
	uint64_t hidden;          /* by lines of suppression files */
	uint64_t failing;         /* not 0: some is at or above --fail-on and not suppressed */
};

static uint64_t limit_of(void)
{
	if (opt.limit != DH_REPORT_NO_LIMIT)
		return opt.limit;
	return opt.out.format == DH_REPORT_TEXT ? TEXT_LIMIT : 0;
}

static uint32_t failing_levels(void)
{
	int level = dh_level_parse(dh_report_fail_names[opt.fail_on]);

	return level < 0 ? 0 : dh_report_levels_from((enum dh_level)level);
}

/* Calls each() on what the query gives; each() owns the finding. */
static int for_each(struct dh_store *s, const struct dh_store_query *q,
	void (*each)(void *arg, struct dh_finding *f), void *arg, struct dh_error *err)
{
	struct dh_store_cursor *c;
	struct dh_finding *f;
	int r = dh_store_cursor_open(s, q, &c, err);

	if (r < 0)
		return r;
	while ((r = dh_store_cursor_next(c, &f, err)) > 0)
		each(arg, f);
	dh_store_cursor_free(c);
	return r;
}

static void take(void *arg, struct dh_finding *f)
{
	dh_findings_add(&((struct listing *)arg)->found, f);
}

static void count_one(void *arg, struct dh_finding *f)
{
	++*(uint64_t *)arg;
	dh_finding_free(f);
}

/* Whether any level of the query makes it fail: the first such finding will do. */
static int find_failing(
	struct dh_store *s, struct dh_store_query q, uint64_t *ret, struct dh_error *err)
{
	q.levels = q.levels ? q.levels & failing_levels() : failing_levels();
	q.suppressed = false;
	q.limit = 1;
	return q.levels ? for_each(s, &q, count_one, ret, err) : 0;
}

static int list_plain(
	struct dh_store *s, struct dh_store_query q, struct listing *l, struct dh_error *err)
{
	int r = dh_store_count(s, &q, &l->total, err);

	q.limit = limit_of();
	if (r == 0)
		r = for_each(s, &q, take, l, err);
	return r < 0 ? r : find_failing(s, q, &l->failing, err);
}

struct sieve {
	struct listing *l;
	struct dh_suppressions *lines;
	uint64_t limit;
};

static void sift(void *arg, struct dh_finding *f)
{
	struct sieve *s = arg;

	if (dh_suppressions_match(s->lines, f)) {
		s->l->hidden += !f->suppressed;
		f->suppressed = true;
	}
	if (f->suppressed && !opt.suppressed) {
		dh_finding_free(f);
		return;
	}
	s->l->failing += !f->suppressed && (failing_levels() >> f->level & 1);
	if (s->limit && s->l->total >= s->limit)
		dh_finding_free(f);
	else
		take(s->l, f);
	s->l->total++;
}

static void count_hits(void *arg, struct dh_finding *f)
{
	dh_suppressions_match(arg, f);
	dh_finding_free(f);
}

/* A line is unused when it fits nothing in the whole store, whatever is listed. */
static int say_unused(struct dh_store *s, struct dh_suppressions *lines, struct dh_error *err)
{
	int r;

	for (size_t i = 0; i < lines->n; i++)
		lines->items[i].hits = 0;
	r = for_each(s, &(struct dh_store_query){.suppressed = true}, count_hits, lines, err);
	for (size_t i = 0; r == 0 && i < lines->n; i++) {
		const struct dh_suppression *line = &lines->items[i];

		if (!line->hits)
			dh_log_info("%s:%u: unused suppression: %s", line->file, line->line,
				line->text);
	}
	return r;
}

static int list_sifted(
	struct dh_store *s, const struct dh_store_query *q, struct listing *l, struct dh_error *err)
{
	struct dh_suppressions lines;
	struct sieve sieve = {l, &lines, limit_of()};
	int r = 0;

	dh_suppressions_init(&lines);
	for (size_t i = 0; r == 0 && i < opt.suppressions.n; i++)
		r = dh_suppressions_load(&lines, opt.suppressions.items[i], err);
	if (r == 0)
		r = for_each(s, q, sift, &sieve, err);
	if (r == 0)
		r = say_unused(s, &lines, err);
	dh_suppressions_release(&lines);
	return r;
}

int dh_report_list(const struct dh_store_query *q, struct dh_error *err)
{
	struct listing l = {0};
	struct dh_store *s = NULL;
	int r = dh_store_open(dh_store_path(opt.db), DH_STORE_READ, &s, err);

	if (r == 0 && opt.since)
		r = dh_store_since(s, opt.since, err);
	if (r == 0)
		r = opt.suppressions.n ? list_sifted(s, q, &l, err) : list_plain(s, *q, &l, err);
	if (r == 0)
		r = dh_output_write(&opt.out, &l.found, &(struct dh_report_options){0}, err);
	if (r == 0 && l.found.n < l.total)
		dh_log_info("%zu of %llu findings; --limit 0 lists all of them", l.found.n,
			(unsigned long long)l.total);
	if (r == 0 && l.hidden && !opt.suppressed)
		dh_log_info("suppressed by these files: %llu (--suppressed lists them)",
			(unsigned long long)l.hidden);
	dh_findings_release(&l.found);
	dh_store_close(s);
	return r < 0 ? r : l.failing != 0;
}
