/* Transactions, prepared statements, and the tables of names. */
#include "store/internal.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

static const char *const statements[DH_SQL_COUNT] = {
	[DH_SQL_FIND] = "SELECT n, kind, level FROM finding WHERE fp = ?1",
	[DH_SQL_ADD] = "INSERT OR IGNORE INTO finding(fp, kind, level, urgency, score) "
		       "VALUES(?1,?2,?3,?4,?5)",
	[DH_SQL_RAISE] = "UPDATE finding SET level = ?2, urgency = ?3 WHERE n = ?1",
	[DH_SQL_RESCORE] = "UPDATE finding SET score = (SELECT max(score) FROM part"
			   " WHERE key BETWEEN ?1 << 16 AND (?1 << 16) + 65535) WHERE n = ?1",
	[DH_SQL_PART_GET] = "SELECT level, time, score, body FROM part WHERE key = ?1",
	[DH_SQL_PART_SET] =
		"REPLACE INTO part(key, level, time, score, body) VALUES(?1,?2,?3,?4,?5)",
	/* The strongest first; ties fall to the lesser name, which is the same in every store. */
	[DH_SQL_PARTS] = "SELECT body FROM part JOIN origin ON origin.n = part.key & 65535"
			 " WHERE key BETWEEN ?1 << 16 AND (?1 << 16) + 65535"
			 " ORDER BY level DESC, time DESC, name",
	[DH_SQL_EVIDENCE_ADD] =
		"INSERT INTO evidence(finding, hash, level, origin, first, last, tries, hits, "
		"budget,"
		" reproduce, note) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)"
		" ON CONFLICT DO UPDATE SET first = min(first, ?5), last = max(last, ?6)"
		" WHERE first > ?5 OR last < ?6",
	[DH_SQL_EVIDENCE] =
		"SELECT e.level, o.name, first, last, tries, hits, budget, reproduce, note"
		" FROM evidence e JOIN origin o ON o.n = e.origin WHERE finding = ?1"
		" ORDER BY first, e.level, hash",
	[DH_SQL_PLACE_ADD] = "INSERT OR IGNORE INTO place(key) VALUES(?1)",
	[DH_SQL_MARK] = "INSERT INTO mark(fp, suppressed, time, reason) VALUES(?1,?2,?3,?4)"
			" ON CONFLICT DO UPDATE SET suppressed = ?2, time = ?3, reason = ?4"
			" WHERE (time, suppressed, ifnull(reason, '')) < (?3, ?2, ifnull(?4, ''))",
	[DH_SQL_MARK_NOW] = "INSERT INTO mark(fp, suppressed, time, reason)"
			    " VALUES(?1, ?2, unixepoch(), ?4) ON CONFLICT DO UPDATE SET"
			    " suppressed = ?2, time = max(unixepoch(), time + 1), reason = ?4",
	[DH_SQL_SINCE_ADD] = "INSERT OR IGNORE INTO since(fp) VALUES(?1)",
};

sqlite3_stmt *dh_store_sql(struct dh_store *s, enum dh_store_sql which, struct dh_error *err)
{
	sqlite3_stmt **st = &s->sql[which];

	if (!*st && sqlite3_prepare_v3(s->db, statements[which], -1, SQLITE_PREPARE_PERSISTENT, st,
			    NULL) != SQLITE_OK)
		dh_store_fail(s, err);
	return *st;
}

int dh_store_begin(struct dh_store *s, struct dh_error *err)
{
	int ret;

	assert(!s->in_batch);
	if (s->mode == DH_STORE_READ)
		return dh_error_set(err, EACCES, "%s was opened for reading only", s->path);
	ret = dh_store_exec(s, "BEGIN IMMEDIATE", err);
	if (ret == 0) {
		s->in_batch = true;
		s->broken = false;
	}
	return ret;
}

int dh_store_commit(struct dh_store *s, struct dh_error *err)
{
	int ret;

	if (!s->in_batch)
		return dh_error_set(err, ECANCELED,
			s->broken ? "the batch failed before and was dropped" : "no batch is open");
	ret = dh_store_exec(s, "COMMIT", err);
	if (ret == 0)
		s->in_batch = false;
	return ret;
}

void dh_store_abort(struct dh_store *s)
{
	if (!s->in_batch)
		return;
	s->in_batch = false;
	s->broken = true;
	/* Some errors (a full disk) roll back by themselves. */
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	/* Numbers that the batch gave out are void now. */
	dh_store_names_forget(s);
}

int dh_store_join_batch(struct dh_store *s, bool *ret_own, struct dh_error *err)
{
	int ret = 0;
	bool own = !s->in_batch;

	if (own)
		ret = dh_store_begin(s, err);
	if (ret == 0)
		*ret_own = own;
	return ret;
}

int dh_store_end_batch(struct dh_store *s, bool own, int ret, struct dh_error *err)
{
	int r;

	if (ret < 0) {
		dh_store_abort(s);
		return ret;
	}
	r = own ? dh_store_commit(s, err) : 0;
	return r < 0 ? r : ret;
}

static void forget(struct dh_store_names *n)
{
	dh_strset_release(&n->known);
	dh_strset_init(&n->known);
}

void dh_store_names_forget(struct dh_store *s)
{
	forget(&s->files);
	forget(&s->origins);
}

static int prepare(struct dh_store *s, const char *sql, sqlite3_stmt **ret, struct dh_error *err)
{
	if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL) == SQLITE_OK)
		return 0;
	return dh_store_fail(s, err);
}

int dh_store_names_init(struct dh_store *s, struct dh_error *err)
{
	int ret = prepare(s, "SELECT n FROM file WHERE name = ?1", &s->files.find, err);

	if (ret == 0)
		ret = prepare(s, "INSERT INTO file(name) VALUES(?1)", &s->files.insert, err);
	if (ret == 0)
		ret = prepare(s, "SELECT n FROM origin WHERE name = ?1", &s->origins.find, err);
	if (ret == 0)
		ret = prepare(s, "INSERT INTO origin(name) VALUES(?1)", &s->origins.insert, err);
	dh_store_names_forget(s);
	return ret;
}

static void release(struct dh_store_names *n)
{
	sqlite3_finalize(n->find);
	sqlite3_finalize(n->insert);
	dh_strset_release(&n->known);
	free(n->numbers);
}

void dh_store_names_release(struct dh_store *s)
{
	release(&s->files);
	release(&s->origins);
}

static int find_name(struct dh_store *s, struct dh_store_names *n, const char *name, int64_t *ret,
	struct dh_error *err)
{
	int rc, r = 0;

	sqlite3_bind_text(n->find, 1, name, -1, SQLITE_STATIC);
	rc = sqlite3_step(n->find);
	if (rc == SQLITE_ROW)
		*ret = sqlite3_column_int64(n->find, 0);
	else if (rc != SQLITE_DONE)
		r = dh_store_fail(s, err);
	sqlite3_reset(n->find);
	if (r < 0 || rc == SQLITE_ROW)
		return r;
	sqlite3_bind_text(n->insert, 1, name, -1, SQLITE_STATIC);
	r = dh_store_run(s, n->insert, err);
	if (r == 0)
		*ret = sqlite3_last_insert_rowid(s->db);
	return r;
}

int dh_store_name(struct dh_store *s, struct dh_store_names *n, const char *name, int64_t *ret,
	struct dh_error *err)
{
	int64_t id = dh_strset_find(&n->known, name), number = 0;
	int r;

	if (id >= 0) {
		*ret = n->numbers[id];
		return 0;
	}
	r = find_name(s, n, name, &number, err);
	if (r < 0)
		return r;
	id = dh_strset_add(&n->known, name);
	if ((size_t)id >= n->cap) {
		n->cap = DH_MAX((size_t)id + 1, n->cap * 2);
		n->numbers = dh_reallocarray(n->numbers, n->cap, sizeof(*n->numbers));
	}
	n->numbers[id] = number;
	*ret = number;
	return 0;
}
