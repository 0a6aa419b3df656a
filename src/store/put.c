/* Adding what a finding says to what is known.  Every step is a join: the larger level, the union
 * of evidence and places, the greater of two descriptions in a total order.  So the order in which
 * findings arrive does not matter, nor how often. */
#include "store/internal.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "base/buf.h"
#include "base/error.h"
#include "store/codec.h"

/* Origins are commands of this tool; more than this in one store is somebody's mischief. */
#define MAX_ORIGIN 65535
/* What a place has room for beside the number of its finding. */
#define MAX_FILE (INT64_C(1) << (63 - DH_STORE_FILE_SHIFT))

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int dh_store_parse_fp(const char *hex, uint8_t ret[16])
{
	uint8_t fp[16];

	for (size_t i = 0; i < 16; i++) {
		int high = digit(hex[2 * i]), low = high < 0 ? -1 : digit(hex[2 * i + 1]);

		if (low < 0)
			return -EINVAL;
		fp[i] = (uint8_t)(high << 4 | low);
	}
	if (hex[32])
		return -EINVAL;
	memcpy(ret, fp, sizeof(fp));
	return 0;
}

void dh_store_format_fp(const uint8_t fp[16], char ret[33])
{
	for (size_t i = 0; i < 16; i++) {
		ret[2 * i] = "0123456789abcdef"[fp[i] >> 4];
		ret[2 * i + 1] = "0123456789abcdef"[fp[i] & 15];
	}
	ret[32] = 0;
}

/* 1: added, 0: there already. */
static int add_finding(struct dh_store *s, const uint8_t fp[16], enum dh_kind kind,
	enum dh_level level, double score, int64_t *ret, struct dh_error *err)
{
	sqlite3_stmt *st = dh_store_sql(s, DH_SQL_ADD, err);
	int r;

	if (!st)
		return -EBADMSG;
	sqlite3_bind_blob(st, 1, fp, 16, SQLITE_STATIC);
	sqlite3_bind_int(st, 2, (int)kind);
	sqlite3_bind_int(st, 3, (int)level);
	sqlite3_bind_int(st, 4, (int)dh_level_urgency(level));
	sqlite3_bind_double(st, 5, score);
	r = dh_store_run(s, st, err);
	if (r < 0)
		return r;
	if (!sqlite3_changes64(s->db))
		return 0;
	*ret = sqlite3_last_insert_rowid(s->db);
	return 1;
}

static int raise_level(
	struct dh_store *s, int64_t finding, enum dh_level level, struct dh_error *err)
{
	sqlite3_stmt *st = dh_store_sql(s, DH_SQL_RAISE, err);

	if (!st)
		return -EBADMSG;
	sqlite3_bind_int64(st, 1, finding);
	sqlite3_bind_int(st, 2, (int)level);
	sqlite3_bind_int(st, 3, (int)dh_level_urgency(level));
	return dh_store_run(s, st, err);
}

static int find_finding(struct dh_store *s, const uint8_t fp[16], int64_t *ret, int *ret_kind,
	int *ret_level, struct dh_error *err)
{
	sqlite3_stmt *st = dh_store_sql(s, DH_SQL_FIND, err);
	int r = 0;

	if (!st)
		return -EBADMSG;
	sqlite3_bind_blob(st, 1, fp, 16, SQLITE_STATIC);
	if (sqlite3_step(st) == SQLITE_ROW) {
		*ret = sqlite3_column_int64(st, 0);
		*ret_kind = sqlite3_column_int(st, 1);
		*ret_level = sqlite3_column_int(st, 2);
	} else {
		r = dh_store_fail(s, err);
	}
	sqlite3_reset(st);
	return r;
}

int dh_store_row_finding(struct dh_store *s, const uint8_t fp[16], enum dh_kind kind,
	enum dh_level level, double score, int64_t *ret, struct dh_error *err)
{
	int old_kind = 0, old_level = 0;
	int64_t n = 0;
	/* Trying to add first costs one search for a new bug and two for a known one. */
	int r = add_finding(s, fp, kind, level, score, ret, err);

	if (r)
		return r;
	r = find_finding(s, fp, &n, &old_kind, &old_level, err);
	if (r < 0)
		return r;
	if (old_kind != (int)kind) {
		char hex[33];

		dh_store_format_fp(fp, hex);
		return dh_error_set(err, EINVAL,
			"finding %s is a %s here, but a different kind in %s: one of them is wrong",
			hex, dh_kind_name(kind), s->path);
	}
	r = (int)level > old_level ? raise_level(s, n, level, err) : 0;
	if (r == 0)
		*ret = n;
	return r;
}

/* The order in which one origin's descriptions of a bug are preferred: the stronger evidence, then
 * the newer, then something arbitrary that is the same everywhere. */
static bool better(const struct dh_store_part *p, sqlite3_stmt *old)
{
	int level = sqlite3_column_int(old, 0);
	int64_t when = sqlite3_column_int64(old, 1);
	const void *body = sqlite3_column_blob(old, 3);
	int size = sqlite3_column_bytes(old, 3), cmp;

	if ((int)p->level != level)
		return (int)p->level > level;
	if (p->when != when)
		return p->when > when;
	cmp = body ? memcmp(p->body, body, (size_t)DH_MIN(size, p->size)) : 1;
	return cmp ? cmp > 0 : p->size > size;
}

/* 1: p says more than what is there, 0: not. */
static int wanted(
	struct dh_store *s, int64_t key, const struct dh_store_part *p, struct dh_error *err)
{
	sqlite3_stmt *st = dh_store_sql(s, DH_SQL_PART_GET, err);
	int rc, r = 1;

	if (!st)
		return -EBADMSG;
	sqlite3_bind_int64(st, 1, key);
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		r = better(p, st);
	else if (rc != SQLITE_DONE)
		r = dh_store_fail(s, err);
	sqlite3_reset(st);
	return r;
}

int dh_store_row_part(struct dh_store *s, int64_t finding, bool is_new,
	const struct dh_store_part *p, struct dh_error *err)
{
	int64_t key = finding << 16 | p->origin;
	sqlite3_stmt *st;
	int r = is_new ? 1 : wanted(s, key, p, err);

	if (r <= 0)
		return r;
	st = dh_store_sql(s, DH_SQL_PART_SET, err);
	if (!st)
		return -EBADMSG;
	sqlite3_bind_int64(st, 1, key);
	sqlite3_bind_int(st, 2, (int)p->level);
	sqlite3_bind_int64(st, 3, p->when);
	sqlite3_bind_double(st, 4, p->score);
	sqlite3_bind_blob(st, 5, p->body, p->size, SQLITE_STATIC);
	r = dh_store_run(s, st, err);
	if (r < 0 || is_new)
		return r;
	st = dh_store_sql(s, DH_SQL_RESCORE, err);
	if (!st)
		return -EBADMSG;
	sqlite3_bind_int64(st, 1, finding);
	return dh_store_run(s, st, err);
}

/* What makes two pieces of evidence the same statement: everything but the time. */
static int64_t evidence_hash(const struct dh_evidence *e)
{
	const char *strings[] = {e->by, e->budget, e->reproduce, e->note};
	uint64_t numbers[] = {e->level, e->tries, e->hits};
	uint64_t h = XXH3_64bits(numbers, sizeof(numbers));

	/* Each string with its end, so that neighbours cannot run into each other; NULL is not "".
	 */
	for (size_t i = 0; i < DH_ARRAY_SIZE(strings); i++)
		h = strings[i] ? XXH3_64bits_withSeed(strings[i], strlen(strings[i]) + 1, h)
			       : XXH3_64bits_withSeed("\1", 1, h);
	return (int64_t)h;
}

int dh_store_row_evidence(
	struct dh_store *s, int64_t finding, const struct dh_evidence *e, struct dh_error *err)
{
	sqlite3_stmt *st = dh_store_sql(s, DH_SQL_EVIDENCE_ADD, err);
	int64_t origin;
	int r;

	if (!st)
		return -EBADMSG;
	r = dh_store_origin(s, e->by, &origin, err);
	if (r < 0)
		return r;
	sqlite3_bind_int64(st, 1, finding);
	sqlite3_bind_int64(st, 2, evidence_hash(e));
	sqlite3_bind_int(st, 3, (int)e->level);
	sqlite3_bind_int64(st, 4, origin);
	sqlite3_bind_int64(st, 5, e->when);
	sqlite3_bind_int64(st, 6, DH_MAX(e->when, e->last));
	sqlite3_bind_int64(st, 7, (int64_t)e->tries);
	sqlite3_bind_int64(st, 8, (int64_t)e->hits);
	sqlite3_bind_text(st, 9, e->budget, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 10, e->reproduce, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 11, e->note, -1, SQLITE_STATIC);
	return dh_store_run(s, st, err);
}

int dh_store_row_place(struct dh_store *s, int64_t finding, const char *file, struct dh_error *err)
{
	sqlite3_stmt *st = dh_store_sql(s, DH_SQL_PLACE_ADD, err);
	int64_t n;
	int r;

	if (!st)
		return -EBADMSG;
	r = dh_store_name(s, &s->files, file, &n, err);
	if (r < 0)
		return r;
	if (n >= MAX_FILE || finding >> DH_STORE_FILE_SHIFT)
		return dh_error_set(
			err, EOVERFLOW, "%s: more files than a store can hold", s->path);
	sqlite3_bind_int64(st, 1, n << DH_STORE_FILE_SHIFT | finding);
	return dh_store_run(s, st, err);
}

int dh_store_origin(struct dh_store *s, const char *name, int64_t *ret, struct dh_error *err)
{
	int64_t n;
	int r = dh_store_name(s, &s->origins, name, &n, err);

	if (r < 0)
		return r;
	if (n < 1 || n > MAX_ORIGIN)
		return dh_error_set(
			err, EOVERFLOW, "%s: more than %d different origins", s->path, MAX_ORIGIN);
	*ret = n;
	return 0;
}

static int check(const struct dh_finding *f, struct dh_error *err)
{
	if (!f->fingerprint[0])
		return dh_error_set(err, EINVAL, "a finding that is not sealed");
	if (!f->n_evidence)
		return dh_error_set(err, EINVAL, "finding %s has no evidence", f->id);
	if (!isfinite(f->score))
		return dh_error_set(err, EINVAL, "finding %s: its score is not a number", f->id);
	for (size_t i = 0; i < f->n_steps; i++) {
		if (f->steps[i].site < -1 || f->steps[i].site >= (int64_t)f->n_sites)
			return dh_error_set(err, EINVAL,
				"finding %s: step %zu names a site that it does not have", f->id,
				i);
	}
	return 0;
}

static int put_part(struct dh_store *s, int64_t n, bool is_new, const struct dh_finding *f,
	struct dh_error *err)
{
	const struct dh_evidence *e = dh_finding_strongest(f);
	struct dh_store_part p = {
		.level = e->level,
		.when = DH_MAX(e->when, e->last),
		.score = f->score,
	};
	int r = dh_store_origin(s, e->by, &p.origin, err);

	if (r < 0)
		return r;
	dh_buf_clear(s->body);
	dh_codec_encode(f, s->body);
	if (s->body->len > DH_CODEC_MAX_SIZE)
		return dh_error_set(err, E2BIG, "finding %s: %zu bytes of stacks and steps", f->id,
			s->body->len);
	p.body = s->body->data;
	p.size = (int)s->body->len;
	return dh_store_row_part(s, n, is_new, &p, err);
}

/* The file of site i, unless the site before is in the same one. */
static int put_place(
	struct dh_store *s, int64_t n, const struct dh_finding *f, size_t i, struct dh_error *err)
{
	const char *file = f->sites[i].at.file, *before = i ? f->sites[i - 1].at.file : NULL;

	if (!file || (before && strcmp(file, before) == 0))
		return 0;
	return dh_store_row_place(s, n, file, err);
}

static int put(
	struct dh_store *s, const struct dh_finding *f, const uint8_t fp[16], struct dh_error *err)
{
	int64_t n = 0;
	int is_new = dh_store_row_finding(
		s, fp, f->kind, dh_finding_strongest(f)->level, f->score, &n, err);
	int r;

	if (is_new < 0)
		return is_new;
	r = put_part(s, n, is_new, f, err);
	for (size_t i = 0; r >= 0 && i < f->n_evidence; i++)
		r = dh_store_row_evidence(s, n, &f->evidence[i], err);
	for (size_t i = 0; r >= 0 && i < f->n_sites; i++)
		r = put_place(s, n, f, i, err);
	return r < 0 ? r : is_new;
}

int dh_store_put(struct dh_store *s, const struct dh_finding *f, struct dh_error *err)
{
	uint8_t fp[16];
	bool own;
	int r = check(f, err);

	if (r < 0)
		return r;
	if (dh_store_parse_fp(f->fingerprint, fp) < 0)
		return dh_error_set(err, EINVAL, "'%s' is not a fingerprint", f->fingerprint);
	r = dh_store_join_batch(s, &own, err);
	if (r < 0)
		return r;
	return dh_store_end_batch(s, own, put(s, f, fp, err), err);
}

int dh_store_suppress(struct dh_store *s, const char *fingerprint, bool suppressed,
	const char *reason, int64_t when, struct dh_error *err)
{
	uint8_t fp[16];
	sqlite3_stmt *st;
	bool own;
	int r;

	if (dh_store_parse_fp(fingerprint, fp) < 0)
		return dh_error_set(err, EINVAL, "'%s' is not a fingerprint", fingerprint);
	r = dh_store_join_batch(s, &own, err);
	if (r < 0)
		return r;
	st = dh_store_sql(s, when ? DH_SQL_MARK : DH_SQL_MARK_NOW, err);
	if (!st)
		return dh_store_end_batch(s, own, -EBADMSG, err);
	sqlite3_bind_blob(st, 1, fp, 16, SQLITE_STATIC);
	sqlite3_bind_int(st, 2, suppressed);
	if (when)
		sqlite3_bind_int64(st, 3, when);
	sqlite3_bind_text(st, 4, reason, -1, SQLITE_STATIC);
	return dh_store_end_batch(s, own, dh_store_run(s, st, err), err);
}
