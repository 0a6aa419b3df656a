/* Other stores: merging them in, and comparing with them. */
#include "store/internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "store/codec.h"

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static sqlite3_stmt *prepare(struct dh_store *s, const char *sql, struct dh_error *err)
{
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
		dh_store_fail(s, err);
	return st;
}

/* One part of the other store; checked, since its bytes go into ours. */
static int copy_part(struct dh_store *s, int64_t finding, struct dh_store *from, sqlite3_stmt *st,
	struct dh_error *err)
{
	int level = sqlite3_column_int(st, 1), r;
	struct dh_store_part p = {
		.when = sqlite3_column_int64(st, 2),
		.score = sqlite3_column_double(st, 3),
		.body = sqlite3_column_blob(st, 4),
		.size = sqlite3_column_bytes(st, 4),
	};
	struct dh_finding *probe = dh_finding_new(DH_KIND_DATA_RACE);
	bool valid = level >= 0 && level < DH_LEVEL_COUNT && isfinite(p.score) &&
		     (size_t)p.size <= DH_CODEC_MAX_SIZE &&
		     dh_codec_decode(p.body, (size_t)p.size, probe) == 0;

	dh_finding_free(probe);
	if (!valid)
		return dh_store_damaged(from, "a description cannot be decoded", err);
	p.level = (enum dh_level)level;
	r = dh_store_origin(s, (const char *)sqlite3_column_text(st, 0), &p.origin, err);
	return r < 0 ? r : dh_store_row_part(s, finding, false, &p, err);
}

static int copy_parts(struct dh_store *s, int64_t finding, struct dh_store *from,
	sqlite3_stmt *parts, int64_t n, struct dh_error *err)
{
	int rc, r = 0;

	sqlite3_bind_int64(parts, 1, n);
	while (r == 0 && (rc = sqlite3_step(parts)) == SQLITE_ROW)
		r = copy_part(s, finding, from, parts, err);
	if (r == 0 && rc != SQLITE_DONE)
		r = dh_store_fail(from, err);
	sqlite3_reset(parts);
	return r;
}

/* 1: it was new, 0: known. */
static int copy_finding(struct dh_store *s, struct dh_store *from, sqlite3_stmt *row,
	sqlite3_stmt *parts, struct dh_error *err)
{
	int64_t n = sqlite3_column_int64(row, 0), finding = 0;
	int kind = sqlite3_column_int(row, 2), is_new, r;
	double score = sqlite3_column_double(row, 3);
	struct dh_finding *f;

	if (sqlite3_column_bytes(row, 1) != 16 || kind < 0 || kind >= DH_KIND_COUNT ||
		!isfinite(score))
		return dh_store_damaged(from, "a finding's row is not valid", err);
	f = dh_finding_new((enum dh_kind)kind);
	r = dh_store_load_evidence(from, n, f, err);
	is_new = r < 0 ? r
		       : dh_store_row_finding(s, sqlite3_column_blob(row, 1), f->kind, f->level,
				 score, &finding, err);
	r = is_new < 0 ? is_new : copy_parts(s, finding, from, parts, n, err);
	for (size_t i = 0; r == 0 && i < f->n_evidence; i++)
		r = dh_store_row_evidence(s, finding, &f->evidence[i], err);
	dh_finding_free(f);
	return r < 0 ? r : is_new;
}

static int copy_findings(struct dh_store *s, struct dh_store *from, struct dh_store_merged *ret,
	struct dh_error *err)
{
	sqlite3_stmt *rows = prepare(from, "SELECT n, fp, kind, score FROM finding", err);
	sqlite3_stmt *parts = prepare(from,
		"SELECT name, level, time, score, body FROM part JOIN origin ON n = key & 65535"
		" WHERE key BETWEEN ?1 << 16 AND (?1 << 16) + 65535",
		err);
	int rc = SQLITE_DONE, r = rows && parts ? 0 : -EBADMSG;

	while (r >= 0 && (rc = sqlite3_step(rows)) == SQLITE_ROW) {
		r = copy_finding(s, from, rows, parts, err);
		if (r >= 0) {
			ret->findings++;
			ret->added += (uint64_t)r;
		}
	}
	if (r >= 0 && rc != SQLITE_DONE)
		r = dh_store_fail(from, err);
	sqlite3_finalize(rows);
	sqlite3_finalize(parts);
	return r < 0 ? r : 0;
}

static int copy_place(struct dh_store *s, sqlite3_stmt *row, struct dh_error *err)
{
	sqlite3_stmt *st = dh_store_sql(s, DH_SQL_FIND, err);
	const char *file = (const char *)sqlite3_column_text(row, 1);
	int64_t n = 0;
	int rc;

	if (!st)
		return -EBADMSG;
	sqlite3_bind_blob(
		st, 1, sqlite3_column_blob(row, 0), sqlite3_column_bytes(row, 0), SQLITE_STATIC);
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		n = sqlite3_column_int64(st, 0);
	else if (rc != SQLITE_DONE)
		return dh_store_fail(s, err);
	sqlite3_reset(st);
	return rc == SQLITE_ROW ? dh_store_row_place(s, n, file, err) : 0;
}

static int copy_mark(struct dh_store *s, sqlite3_stmt *row, struct dh_error *err)
{
	char hex[33];
	int64_t when = sqlite3_column_int64(row, 2);

	/* Nobody writes such rows; a time of 0 would mean now. */
	if (sqlite3_column_bytes(row, 0) != 16 || when <= 0)
		return 0;
	dh_store_format_fp(sqlite3_column_blob(row, 0), hex);
	return dh_store_suppress(s, hex, sqlite3_column_int(row, 1) != 0,
		(const char *)sqlite3_column_text(row, 3), when, err);
}

static int copy_rows(struct dh_store *s, struct dh_store *from, const char *sql,
	int (*copy)(struct dh_store *s, sqlite3_stmt *row, struct dh_error *err),
	struct dh_error *err)
{
	sqlite3_stmt *rows = prepare(from, sql, err);
	int rc = SQLITE_DONE, r = rows ? 0 : -EBADMSG;

	while (r == 0 && (rc = sqlite3_step(rows)) == SQLITE_ROW)
		r = copy(s, rows, err);
	if (r == 0 && rc != SQLITE_DONE)
		r = dh_store_fail(from, err);
	sqlite3_finalize(rows);
	return r;
}

static int merge_from(struct dh_store *s, struct dh_store *from, struct dh_store_merged *ret,
	struct dh_error *err)
{
	/* One moment of the other store, whoever writes to it meanwhile. */
	int r = dh_store_exec(from, "BEGIN", err);

	if (r == 0)
		r = copy_findings(s, from, ret, err);
	if (r == 0)
		r = copy_rows(s, from,
			"SELECT f.fp, file.name FROM place p JOIN finding f ON"
			" f.n = p.key & " DH_STORE_FINDING_MASK
			" JOIN file ON file.n = p.key >> 40",
			copy_place, err);
	if (r == 0)
		r = copy_rows(
			s, from, "SELECT fp, suppressed, time, reason FROM mark", copy_mark, err);
	return r;
}

int dh_store_merge(
	struct dh_store *s, const char *path, struct dh_store_merged *ret, struct dh_error *err)
{
	struct dh_store_merged merged = {0};
	struct dh_store *from;
	bool own;
	int r = dh_store_open(path, DH_STORE_READ, &from, err);

	if (r < 0)
		return r;
	if (same_file(s->path, path)) {
		struct dh_store_query all = {.suppressed = true};

		r = dh_store_count(s, &all, &merged.findings, err);
	} else {
		r = dh_store_join_batch(s, &own, err);
		if (r == 0)
			r = dh_store_end_batch(s, own, merge_from(s, from, &merged, err), err);
	}
	dh_store_close(from);
	if (r == 0 && ret)
		*ret = merged;
	return r;
}

static int copy_since(struct dh_store *s, sqlite3_stmt *row, struct dh_error *err)
{
	sqlite3_stmt *st = dh_store_sql(s, DH_SQL_SINCE_ADD, err);

	if (!st)
		return -EBADMSG;
	sqlite3_bind_blob(
		st, 1, sqlite3_column_blob(row, 0), sqlite3_column_bytes(row, 0), SQLITE_STATIC);
	return dh_store_run(s, st, err);
}

int dh_store_since(struct dh_store *s, const char *path, struct dh_error *err)
{
	struct dh_store *from;
	int r = dh_store_open(path, DH_STORE_READ, &from, err);

	if (r < 0)
		return r;
	r = dh_store_exec(s,
		"PRAGMA temp_store = MEMORY;"
		"CREATE TEMP TABLE IF NOT EXISTS since(fp BLOB PRIMARY KEY) WITHOUT ROWID; BEGIN",
		err);
	if (r == 0)
		r = copy_rows(s, from, "SELECT fp FROM finding", copy_since, err);
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, r == 0 ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
	s->has_since = s->has_since || r == 0;
	dh_store_close(from);
	return r;
}
