/* From rows back to findings: the strongest part is the base, the others fill its gaps. */
#include "store/internal.h"

#include <errno.h>
#include <string.h>

#include "store/codec.h"

static void add_reasons(struct dh_finding *f, const struct dh_finding *other)
{
	for (size_t i = 0; i < other->n_reasons; i++) {
		bool known = false;

		for (size_t k = 0; k < f->n_reasons && !known; k++)
			known = strcmp(f->reasons[k], other->reasons[i]) == 0;
		if (!known)
			dh_finding_add_reason(f, "%s", other->reasons[i]);
	}
}

/* The site of f at the same function as a site of the other description, or -1. */
static int same_site(const struct dh_finding *f, const struct dh_site *site)
{
	for (size_t i = 0; site->at.function && i < f->n_sites; i++) {
		const char *function = f->sites[i].at.function;

		if (function && strcmp(function, site->at.function) == 0)
			return (int)i;
	}
	return -1;
}

/* The steps of another origin refer to its own sites, whose order may be the other one. */
static void take_steps(struct dh_finding *f, const struct dh_finding *other)
{
	f->steps = other->steps;
	f->n_steps = other->n_steps;
	for (size_t i = 0; i < f->n_steps; i++) {
		if (f->steps[i].site >= 0)
			f->steps[i].site = same_site(f, &other->sites[f->steps[i].site]);
	}
}

static void fill_gaps(struct dh_finding *f, const struct dh_finding *other)
{
	if (!f->title)
		f->title = other->title;
	if (!f->variable)
		f->variable = other->variable;
	if (!f->object)
		f->object = other->object;
	if (!f->allocated.n)
		f->allocated = other->allocated;
	if (!f->failure.what)
		f->failure = other->failure;
	if (!f->schedule)
		f->schedule = other->schedule;
	if (!f->mend)
		f->mend = other->mend;
	if (!f->n_sites) {
		f->sites = other->sites;
		f->n_sites = other->n_sites;
	}
	if (!f->n_steps)
		take_steps(f, other);
	f->score = DH_MAX(f->score, other->score);
	add_reasons(f, other);
}

static int add_part(struct dh_finding *f, sqlite3_stmt *st, bool first)
{
	const void *body = sqlite3_column_blob(st, 0);
	size_t size = (size_t)sqlite3_column_bytes(st, 0);
	/* One arena for all: it is lent to the other finding while that one is filled. */
	struct dh_finding other = {.arena = f->arena};
	int r;

	if (first)
		return dh_codec_decode(body, size, f);
	r = dh_codec_decode(body, size, &other);
	f->arena = other.arena;
	if (r == 0)
		fill_gaps(f, &other);
	return r;
}

static int load_parts(struct dh_store *s, int64_t n, struct dh_finding *f, struct dh_error *err)
{
	sqlite3_stmt *st = dh_store_sql(s, DH_SQL_PARTS, err);
	bool first = true;
	int rc, r = 0;

	if (!st)
		return -EBADMSG;
	sqlite3_bind_int64(st, 1, n);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		r = add_part(f, st, first);
		first = false;
		if (r < 0)
			break;
	}
	if (r < 0)
		r = dh_store_damaged(s, "a description cannot be decoded", err);
	else if (rc != SQLITE_DONE)
		r = dh_store_fail(s, err);
	sqlite3_reset(st);
	return r;
}

static int add_evidence(struct dh_finding *f, sqlite3_stmt *st)
{
	int level = sqlite3_column_int(st, 0);
	struct dh_evidence e = {
		.by = (const char *)sqlite3_column_text(st, 1),
		.when = sqlite3_column_int64(st, 2),
		.last = sqlite3_column_int64(st, 3),
		.tries = (uint64_t)sqlite3_column_int64(st, 4),
		.hits = (uint64_t)sqlite3_column_int64(st, 5),
		.budget = (const char *)sqlite3_column_text(st, 6),
		.reproduce = (const char *)sqlite3_column_text(st, 7),
		.note = (const char *)sqlite3_column_text(st, 8),
	};

	if (level < 0 || level >= DH_LEVEL_COUNT)
		return -EBADMSG;
	e.level = (enum dh_level)level;
	if (e.last == e.when)
		e.last = 0;
	return dh_finding_add_evidence(f, &e);
}

int dh_store_load_evidence(
	struct dh_store *s, int64_t finding, struct dh_finding *f, struct dh_error *err)
{
	sqlite3_stmt *st = dh_store_sql(s, DH_SQL_EVIDENCE, err);
	int rc, r = 0;

	if (!st)
		return -EBADMSG;
	sqlite3_bind_int64(st, 1, finding);
	while (r == 0 && (rc = sqlite3_step(st)) == SQLITE_ROW)
		r = add_evidence(f, st);
	if (r == 0 && rc != SQLITE_DONE)
		r = dh_store_fail(s, err);
	else if (r < 0 || !f->n_evidence)
		r = dh_store_damaged(s, "a finding without valid evidence", err);
	sqlite3_reset(st);
	return r;
}

int dh_store_load(
	struct dh_store *s, sqlite3_stmt *row, struct dh_finding **ret, struct dh_error *err)
{
	int64_t n = sqlite3_column_int64(row, 0);
	int kind = sqlite3_column_int(row, 2), r;
	struct dh_finding *f;

	if (sqlite3_column_bytes(row, 1) != 16 || kind < 0 || kind >= DH_KIND_COUNT)
		return dh_store_damaged(s, "a finding's row is not valid", err);
	f = dh_finding_new((enum dh_kind)kind);
	dh_store_format_fp(sqlite3_column_blob(row, 1), f->fingerprint);
	dh_finding_name(f);
	f->suppressed = sqlite3_column_int(row, 3);
	r = load_parts(s, n, f, err);
	if (r == 0)
		r = dh_store_load_evidence(s, n, f, err);
	if (r < 0) {
		dh_finding_free(f);
		return r;
	}
	*ret = f;
	return 0;
}
