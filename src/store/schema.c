#include "store/schema.h"

#include <stdio.h>

/* Numbers of kinds and levels are those of the enums in model/finding.h, which only grow at their
 * end; anything else needs a step here.
 *
 * finding   one row per bug: what lists are sorted and filtered by
 * part      the description by one origin; key = finding << 16 | origin, so that the parts of a
 *           finding lie together and no second index is needed for them
 * evidence  a set: the same statement again only widens its first..last
 * place     which files a bug touches; key = file << 40 | finding, an integer for the same reason
 * mark      suppressions by hand; the latest counts */
const struct dh_schema_step dh_schema_steps[DH_SCHEMA_VERSION] = {
	{"CREATE TABLE finding(n INTEGER PRIMARY KEY, fp BLOB NOT NULL, kind INTEGER NOT NULL,"
	 " level INTEGER NOT NULL, urgency INTEGER NOT NULL, score REAL NOT NULL) STRICT;"
	 "CREATE UNIQUE INDEX finding_fp ON finding(fp);"
	 "CREATE INDEX finding_rank ON finding(urgency DESC, score DESC, fp, kind);"
	 "CREATE TABLE part(key INTEGER PRIMARY KEY, level INTEGER NOT NULL, time INTEGER NOT NULL,"
	 " score REAL NOT NULL, body BLOB NOT NULL) STRICT;"
	 "CREATE TABLE evidence(finding INTEGER NOT NULL, hash INTEGER NOT NULL,"
	 " level INTEGER NOT NULL, origin INTEGER NOT NULL, first INTEGER NOT NULL,"
	 " last INTEGER NOT NULL, tries INTEGER NOT NULL, hits INTEGER NOT NULL, budget TEXT,"
	 " reproduce TEXT, note TEXT, PRIMARY KEY(finding, hash)) STRICT, WITHOUT ROWID;"
	 "CREATE TABLE origin(n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;"
	 "CREATE TABLE file(n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;"
	 "CREATE TABLE place(file INTEGER NOT NULL, finding INTEGER NOT NULL,"
	 " PRIMARY KEY(file, finding)) STRICT, WITHOUT ROWID;"
	 "CREATE TABLE mark(fp BLOB PRIMARY KEY, suppressed INTEGER NOT NULL,"
	 " time INTEGER NOT NULL, reason TEXT) STRICT, WITHOUT ROWID;"},
	/* Less to search and to write for a new bug: places are integers, and the ranking leaves
	 * equal scores to the query, which sorts them by fingerprint. */
	{"DROP INDEX finding_rank;"
	 "CREATE INDEX finding_rank ON finding(urgency DESC, score DESC, kind);"
	 "ALTER TABLE place RENAME TO place_1;"
	 "CREATE TABLE place(key INTEGER PRIMARY KEY) STRICT;"
	 "INSERT INTO place SELECT file << 40 | finding FROM place_1;"
	 "DROP TABLE place_1;"},
	/* Descriptions say what to do (codec.c): the tables stay as they are. */
	{""},
};

static int read_number(sqlite3 *db, const char *sql, int64_t *ret)
{
	sqlite3_stmt *st;
	int rc = sqlite3_prepare_v2(db, sql, -1, &st, NULL);

	if (rc != SQLITE_OK)
		return rc;
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		*ret = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int read_info(sqlite3 *db, struct dh_schema_info *ret)
{
	struct dh_schema_info info = {0};
	int64_t tables = 0;
	int rc = read_number(db, "PRAGMA application_id", &info.application);

	if (rc == SQLITE_OK)
		rc = read_number(db, "PRAGMA user_version", &info.version);
	if (rc == SQLITE_OK)
		rc = read_number(db, "SELECT count(*) FROM sqlite_schema", &tables);
	if (rc != SQLITE_OK)
		return rc;
	info.empty = tables == 0;
	*ret = info;
	return SQLITE_OK;
}

/* In one transaction: between two statements another process may make the store, and then what
 * they say does not fit together. */
int dh_schema_read(sqlite3 *db, struct dh_schema_info *ret)
{
	bool own = sqlite3_get_autocommit(db);
	int rc = own ? sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) : SQLITE_OK;

	if (rc != SQLITE_OK)
		return rc;
	rc = read_info(db, ret);
	/* After a failure nobody goes on with this connection but to ask it for its words. */
	if (own && rc == SQLITE_OK)
		rc = sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

static int run_steps(sqlite3 *db, const struct dh_schema_step *steps, int64_t from, int n)
{
	char pragma[96];
	int rc = SQLITE_OK;

	for (int64_t i = from; i < n && rc == SQLITE_OK; i++)
		rc = sqlite3_exec(db, steps[i].sql, NULL, NULL, NULL);
	if (rc != SQLITE_OK)
		return rc;
	snprintf(pragma, sizeof(pragma), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		DH_SCHEMA_APPLICATION, n);
	return sqlite3_exec(db, pragma, NULL, NULL, NULL);
}

int dh_schema_upgrade(sqlite3 *db, const struct dh_schema_step *steps, int n)
{
	struct dh_schema_info info = {0};
	int rc = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);

	if (rc != SQLITE_OK)
		return rc;
	/* Read again under the lock: another process may have done the work meanwhile. */
	rc = dh_schema_read(db, &info);
	if (rc == SQLITE_OK && info.version < n)
		rc = run_steps(db, steps, info.version, n);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	if (rc != SQLITE_OK && !sqlite3_get_autocommit(db))
		sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}
