/* What the files of the store share; nobody else includes this. */
#pragma once
#include <sqlite3.h>

#include "base/map.h"
#include "store/store.h"

/* A table of strings with numbers (files, origins), cached: rows are never changed or deleted. */
struct dh_store_names {
	sqlite3_stmt *find, *insert;
	struct dh_strset known;
	int64_t *numbers; /* by id in known */
	size_t cap;
};

enum dh_store_sql {
	DH_SQL_FIND,
	DH_SQL_ADD,
	DH_SQL_RAISE,
	DH_SQL_RESCORE,
	DH_SQL_PART_GET,
	DH_SQL_PART_SET,
	DH_SQL_PARTS,
	DH_SQL_EVIDENCE_ADD,
	DH_SQL_EVIDENCE,
	DH_SQL_PLACE_ADD,
	DH_SQL_MARK,
	DH_SQL_MARK_NOW,
	DH_SQL_SINCE_ADD,
	DH_SQL_COUNT,
};

struct dh_store {
	sqlite3 *db;
	char *path;
	enum dh_store_mode mode;
	bool in_batch;
	bool broken; /* a step of the batch failed: it is rolled back already */
	bool has_since;
	sqlite3_stmt *sql[DH_SQL_COUNT]; /* prepared on first use */
	struct dh_store_names files, origins;
	struct dh_buf *body; /* scratch for encoding */
};

/* Turns the connection's error into -errno and words. */
int dh_store_fail(struct dh_store *s, struct dh_error *err);
int dh_store_fail_db(sqlite3 *db, const char *path, int rc, struct dh_error *err);
/* Damage that SQLite itself cannot see. */
int dh_store_damaged(struct dh_store *s, const char *what, struct dh_error *err);

/* The prepared statement, reset and without bindings; NULL with err set. */
sqlite3_stmt *dh_store_sql(struct dh_store *s, enum dh_store_sql which, struct dh_error *err);
/* Runs a statement that returns no row. */
int dh_store_run(struct dh_store *s, sqlite3_stmt *st, struct dh_error *err);
int dh_store_exec(struct dh_store *s, const char *sql, struct dh_error *err);

/* The number of a string in a table, new or old. */
int dh_store_name(struct dh_store *s, struct dh_store_names *n, const char *name, int64_t *ret,
	struct dh_error *err);
/* Prepares the two tables; forgets what was cached. */
int dh_store_names_init(struct dh_store *s, struct dh_error *err);
void dh_store_names_release(struct dh_store *s);
void dh_store_names_forget(struct dh_store *s);

/* Begins a batch unless one is open: *ret_own says whether the caller must end it. */
int dh_store_join_batch(struct dh_store *s, bool *ret_own, struct dh_error *err);
/* Ends what dh_store_join_batch() began: commits when ret >= 0, else rolls everything back.
 * Returns ret, or why the commit failed. */
int dh_store_end_batch(struct dh_store *s, bool own, int ret, struct dh_error *err);

/* Hex digits to 16 bytes; -EINVAL. */
int dh_store_parse_fp(const char *hex, uint8_t ret[16]);
void dh_store_format_fp(const uint8_t fp[16], char ret[33]);

/* A row of place: the file's number above, the finding's below. */
#define DH_STORE_FILE_SHIFT   40
#define DH_STORE_FINDING_MASK "1099511627775"

/* One description of a bug, as one origin gave it. */
struct dh_store_part {
	int64_t origin;
	enum dh_level level; /* of the evidence that came with it */
	int64_t when;
	double score;
	const void *body; /* see codec.h */
	int size;
};

/* The rows behind dh_store_put() and dh_store_merge(), inside a batch.  finding is the number of
 * the bug's row.  1: a new bug, 0: known. */
int dh_store_row_finding(struct dh_store *s, const uint8_t fp[16], enum dh_kind kind,
	enum dh_level level, double score, int64_t *ret, struct dh_error *err);
/* is_new: there is no part of this origin yet, and the finding's score is known to be right. */
int dh_store_row_part(struct dh_store *s, int64_t finding, bool is_new,
	const struct dh_store_part *p, struct dh_error *err);
int dh_store_row_evidence(
	struct dh_store *s, int64_t finding, const struct dh_evidence *e, struct dh_error *err);
int dh_store_row_place(struct dh_store *s, int64_t finding, const char *file, struct dh_error *err);
/* The number of an origin, new or old. */
int dh_store_origin(struct dh_store *s, const char *name, int64_t *ret, struct dh_error *err);

/* The finding behind a row (n, fp, kind, suppressed). */
int dh_store_load(
	struct dh_store *s, sqlite3_stmt *row, struct dh_finding **ret, struct dh_error *err);
/* Fills f's evidence and level from the rows of the finding. */
int dh_store_load_evidence(
	struct dh_store *s, int64_t finding, struct dh_finding *f, struct dh_error *err);
