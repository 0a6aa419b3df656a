/* Lists, counts and look-ups.  Filters are conditions on the finding's row in order of rank, so a
 * short list stops early; the conditions that pick few rows drive the search instead. */
#include "store/internal.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"

#define MIN_ID 4
/* How many of several candidates an error names. */
#define MAX_NAMED  4

#define SUPPRESSED "EXISTS(SELECT 1 FROM mark m WHERE m.fp = f.fp AND m.suppressed)"

struct dh_store_cursor {
	struct dh_store *store;
	sqlite3_stmt *st;
};

/* A pattern fits a path, or the path's last parts. */
static bool fits(const char *pattern, const char *path)
{
	while (fnmatch(pattern, path, 0) != 0) {
		path = strchr(path, '/');
		if (!path)
			return false;
		path++;
	}
	return true;
}

static void fits_function(sqlite3_context *c, int n, sqlite3_value **args)
{
	const char *pattern = (const char *)sqlite3_value_text(args[0]);
	const char *path = (const char *)sqlite3_value_text(args[1]);

	(void)n;
	sqlite3_result_int(c, pattern && path && fits(pattern, path));
}

static void add_levels(struct dh_buf *b, uint32_t levels)
{
	unsigned low = DH_LEVEL_COUNT, high = 0;
	uint32_t mask = 0;

	for (int i = 0; i < DH_LEVEL_COUNT; i++) {
		unsigned u = dh_level_urgency((enum dh_level)i);

		if (!(levels >> i & 1))
			continue;
		mask |= 1u << u;
		low = DH_MIN(low, u);
		high = DH_MAX(high, u);
	}
	/* The range uses the index, the mask what lies between. */
	dh_buf_addf(b, " AND urgency BETWEEN %u AND %u AND (%u >> urgency & 1)", low, high, mask);
}

static void add_kinds(struct dh_buf *b, uint32_t kinds)
{
	if ((kinds & (kinds - 1)) == 0)
		dh_buf_addf(b, " AND kind = %d", __builtin_ctz(kinds));
	else
		dh_buf_addf(b, " AND (%u >> kind & 1)", kinds);
}

/* The conditions of the query, each behind "AND", except for suppressions. */
static void add_conditions(struct dh_buf *b, const struct dh_store_query *q)
{
	if (q->kinds)
		add_kinds(b, q->kinds);
	if (q->levels)
		add_levels(b, q->levels);
	if (q->file)
		dh_buf_adds(b, " AND f.n IN (SELECT place.key & " DH_STORE_FINDING_MASK
			       " FROM file CROSS JOIN"
			       " place ON place.key BETWEEN file.n << 40 AND"
			       " (file.n << 40) + " DH_STORE_FINDING_MASK
			       " WHERE deadheat_fits(:file, file.name))");
	if (q->origin)
		dh_buf_adds(b, " AND EXISTS(SELECT 1 FROM evidence e WHERE e.finding = f.n AND"
			       " e.origin = (SELECT n FROM origin WHERE name = :origin))");
	if (q->not_in_since)
		dh_buf_adds(b, " AND NOT EXISTS(SELECT 1 FROM since WHERE since.fp = f.fp)");
	if (q->id)
		dh_buf_adds(b, " AND f.fp = :id");
}

static void bind_text(sqlite3_stmt *st, const char *name, const char *value)
{
	int i = sqlite3_bind_parameter_index(st, name);

	if (i)
		sqlite3_bind_text(st, i, value, -1, SQLITE_TRANSIENT);
}

static int prepare(struct dh_store *s, const char *sql, const struct dh_store_query *q,
	sqlite3_stmt **ret, struct dh_error *err)
{
	sqlite3_stmt *st;
	uint8_t fp[16];

	if (q->id && dh_store_parse_fp(q->id, fp) < 0)
		return dh_error_set(err, EINVAL, "'%s' is not a fingerprint", q->id);
	if (q->not_in_since && !s->has_since)
		return dh_error_set(err, EINVAL, "no store to compare with");
	sqlite3_create_function(s->db, "deadheat_fits", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
		fits_function, NULL, NULL);
	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
		return dh_store_fail(s, err);
	bind_text(st, ":file", q->file);
	bind_text(st, ":origin", q->origin);
	if (q->id)
		sqlite3_bind_blob(
			st, sqlite3_bind_parameter_index(st, ":id"), fp, 16, SQLITE_TRANSIENT);
	*ret = st;
	return 0;
}

int dh_store_cursor_open(struct dh_store *s, const struct dh_store_query *q,
	struct dh_store_cursor **ret, struct dh_error *err)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	sqlite3_stmt *st;
	int r;

	dh_buf_adds(&b, "SELECT n, fp, kind, " SUPPRESSED " FROM finding f WHERE 1");
	add_conditions(&b, q);
	if (!q->suppressed)
		dh_buf_adds(&b, " AND NOT " SUPPRESSED);
	dh_buf_adds(&b, " ORDER BY urgency DESC, score DESC, fp");
	if (q->limit)
		dh_buf_addf(&b, " LIMIT %llu", (unsigned long long)q->limit);
	r = prepare(s, dh_buf_str(&b), q, &st, err);
	if (r < 0)
		return r;
	*ret = dh_new(struct dh_store_cursor);
	(*ret)->store = s;
	(*ret)->st = st;
	return 0;
}

int dh_store_cursor_next(struct dh_store_cursor *c, struct dh_finding **ret, struct dh_error *err)
{
	int rc = sqlite3_step(c->st), r;

	if (rc == SQLITE_DONE)
		return 0;
	if (rc != SQLITE_ROW)
		return dh_store_fail(c->store, err);
	r = dh_store_load(c->store, c->st, ret, err);
	return r < 0 ? r : 1;
}

void dh_store_cursor_free(struct dh_store_cursor *c)
{
	if (!c)
		return;
	sqlite3_finalize(c->st);
	free(c);
}

static int step_number(struct dh_store *s, sqlite3_stmt *st, uint64_t *ret, struct dh_error *err)
{
	int r = 0;

	if (sqlite3_step(st) == SQLITE_ROW)
		*ret = (uint64_t)sqlite3_column_int64(st, 0);
	else
		r = dh_store_fail(s, err);
	sqlite3_finalize(st);
	return r;
}

static int count(struct dh_store *s, const struct dh_store_query *q, const char *from,
	uint64_t *ret, struct dh_error *err)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT, conditions = DH_BUF_INIT;
	sqlite3_stmt *st;
	int r;

	add_conditions(&conditions, q);
	/* Without any condition SQLite counts pages instead of rows. */
	dh_buf_addf(&b, "SELECT count(*) FROM %s%s%s", from, conditions.len ? " WHERE 1" : "",
		dh_buf_str(&conditions));
	r = prepare(s, dh_buf_str(&b), q, &st, err);
	return r < 0 ? r : step_number(s, st, ret, err);
}

int dh_store_count(
	struct dh_store *s, const struct dh_store_query *q, uint64_t *ret, struct dh_error *err)
{
	uint64_t all = 0, suppressed = 0;
	int r = count(s, q, "finding f", &all, err);

	/* Few are suppressed, so they are counted rather than looked for in every row. */
	if (r == 0 && !q->suppressed)
		r = count(s, q,
			"(SELECT fp AS marked FROM mark WHERE suppressed)"
			" CROSS JOIN finding f ON f.fp = marked",
			&suppressed, err);
	if (r == 0)
		*ret = all - suppressed;
	return r;
}

int dh_store_get(
	struct dh_store *s, const char *fingerprint, struct dh_finding **ret, struct dh_error *err)
{
	struct dh_store_query q = {.id = fingerprint, .suppressed = true};
	struct dh_store_cursor *c;
	int r = dh_store_cursor_open(s, &q, &c, err);

	if (r < 0)
		return r;
	r = dh_store_cursor_next(c, ret, err);
	dh_store_cursor_free(c);
	if (r == 0)
		return dh_error_set(err, ENOENT, "%s: no finding %s", s->path, fingerprint);
	return r < 0 ? r : 0;
}

int dh_store_get_from(
	const char *path, const char *id, struct dh_finding **ret, struct dh_error *err)
{
	struct dh_store *s = NULL;
	char fingerprint[33];
	int r = dh_store_open(path, DH_STORE_READ, &s, err);

	if (r == 0)
		r = dh_store_resolve(s, id, fingerprint, err);
	if (r == 0)
		r = dh_store_get(s, fingerprint, ret, err);
	dh_store_close(s);
	return r;
}

int dh_store_rank(struct dh_store *s, const char *fingerprint, uint64_t *ret, struct dh_error *err)
{
	static const char sql[] =
		"SELECT 1 + (SELECT count(*) FROM finding f WHERE NOT " SUPPRESSED
		" AND urgency >= x.urgency AND (urgency > x.urgency OR score > x.score"
		" OR (score = x.score AND fp < x.fp))) FROM finding x WHERE fp = :id";
	struct dh_store_query q = {.id = fingerprint};
	sqlite3_stmt *st;
	int r = prepare(s, sql, &q, &st, err);

	return r < 0 ? r : step_number(s, st, ret, err);
}

/* The lowest and the highest fingerprint that begin with the digits. */
static int id_range(const char *id, uint8_t low[16], uint8_t high[16])
{
	char a[33], b[33];
	size_t n = strlen(id);

	if (n < MIN_ID || n > 32)
		return -EINVAL;
	memset(a, '0', 32);
	memset(b, 'f', 32);
	a[32] = b[32] = 0;
	for (size_t i = 0; i < n; i++)
		a[i] = b[i] = (char)(id[i] >= 'A' && id[i] <= 'F' ? id[i] - 'A' + 'a' : id[i]);
	return dh_store_parse_fp(a, low) < 0 ? -EINVAL : dh_store_parse_fp(b, high);
}

static int pick_one(
	struct dh_store *s, sqlite3_stmt *st, const char *id, char ret[33], struct dh_error *err)
{
	DH_BUF struct dh_buf named = DH_BUF_INIT;
	char hex[33] = "";
	int n = 0, rc;

	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		if (sqlite3_column_bytes(st, 0) != 16)
			return dh_store_damaged(s, "a fingerprint is not valid", err);
		dh_store_format_fp(sqlite3_column_blob(st, 0), hex);
		if (++n <= MAX_NAMED)
			dh_buf_addf(&named, "%s%.12s", n > 1 ? ", " : "", hex);
	}
	if (rc != SQLITE_DONE)
		return dh_store_fail(s, err);
	if (!n)
		return dh_error_set(
			err, ENOENT, "%s: no finding whose id begins with %s", s->path, id);
	if (n > 1)
		return dh_error_set(err, ENOTUNIQ, "%s could be any of %s%s: give more digits", id,
			dh_buf_str(&named), n > MAX_NAMED ? ", ..." : "");
	memcpy(ret, hex, 33);
	return 0;
}

int dh_store_resolve(
	struct dh_store *s, const char *id, char ret_fingerprint[33], struct dh_error *err)
{
	sqlite3_stmt *st;
	uint8_t low[16], high[16];
	int r;

	if (id_range(id, low, high) < 0)
		return dh_error_set(err, EINVAL,
			"'%s' is not an id: give the first digits (at least %d) of one that "
			"'deadheat report' lists",
			id, MIN_ID);
	if (sqlite3_prepare_v2(s->db,
		    "SELECT fp FROM finding WHERE fp BETWEEN ?1 AND ?2 ORDER BY fp LIMIT 5", -1,
		    &st, NULL) != SQLITE_OK)
		return dh_store_fail(s, err);
	sqlite3_bind_blob(st, 1, low, 16, SQLITE_STATIC);
	sqlite3_bind_blob(st, 2, high, 16, SQLITE_STATIC);
	r = pick_one(s, st, id, ret_fingerprint, err);
	sqlite3_finalize(st);
	return r;
}
