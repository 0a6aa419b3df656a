/* What the tests of the store share: a folder of their own, and the content of a store as text
 * that does not depend on the order in which it came to be. */
#pragma once
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "store/store.h"

#include "../gen.h"

static char helper_dir[32];

static inline int make_dir(void **state)
{
	(void)state;
	strcpy(helper_dir, "/tmp/dh-store-XXXXXX");
	return mkdtemp(helper_dir) ? 0 : -1;
}

static inline int remove_dir(void **state)
{
	(void)state;
	return dh_remove_tree(helper_dir);
}

/* Borrowed until the fourth call after this one. */
static inline const char *in_dir(const char *name)
{
	static char paths[4][64];
	static unsigned at;
	char *p = paths[at++ % 4];

	snprintf(p, sizeof(paths[0]), "%s/%s", helper_dir, name);
	return p;
}

#define assert_ok(call)                                                                            \
	do {                                                                                       \
		struct dh_error err_ = DH_ERROR_INIT, *err = &err_;                                \
		int ret_ = (call);                                                                 \
		if (ret_ < 0)                                                                      \
			fail_msg("%s: %s", #call, dh_error_text(err, ret_));                       \
	} while (0)

/* The call fails with this code, and its words contain the text. */
#define assert_fails(call, code, words)                                                            \
	do {                                                                                       \
		struct dh_error err_ = DH_ERROR_INIT, *err = &err_;                                \
		assert_int_equal((call), -(code));                                                 \
		if (!strstr(err->text, words))                                                     \
			fail_msg("'%s' is not in '%s'", words, err->text);                         \
	} while (0)

static inline struct dh_store *open_store(const char *name, enum dh_store_mode mode)
{
	struct dh_store *s = NULL;

	assert_ok(dh_store_open(in_dir(name), mode, &s, err));
	return s;
}

static inline void put_bug(struct dh_store *s, uint64_t bug, uint64_t *seed)
{
	struct dh_finding *f = gen_finding(bug, seed);

	assert_ok(dh_store_put(s, f, err));
	dh_finding_free(f);
}

static inline void dump_query(struct dh_buf *b, sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	while (sqlite3_step(st) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(st); i++) {
			const char *s = (const char *)sqlite3_column_text(st, i);

			dh_buf_addf(b, "%s|", s ? s : "NULL");
		}
		dh_buf_addc(b, '\n');
	}
	sqlite3_finalize(st);
}

/* Everything in the store, without the numbers of its rows. */
static inline char *dump_store(const char *name)
{
	struct dh_buf b = DH_BUF_INIT;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(in_dir(name), &db), SQLITE_OK);
	dump_query(&b, db, "SELECT hex(fp), kind, level, urgency, score FROM finding ORDER BY fp");
	dump_query(&b, db,
		"SELECT hex(f.fp), o.name, p.level, p.time, p.score, hex(p.body) FROM part p"
		" JOIN finding f ON f.n = p.key >> 16 JOIN origin o ON o.n = p.key & 65535"
		" ORDER BY f.fp, o.name");
	dump_query(&b, db,
		"SELECT hex(f.fp), hash, e.level, o.name, first, last, tries, hits, budget,"
		" reproduce, note FROM evidence e JOIN finding f ON f.n = e.finding"
		" JOIN origin o ON o.n = e.origin ORDER BY f.fp, hash");
	dump_query(&b, db,
		"SELECT hex(f.fp), file.name FROM place p JOIN finding f"
		" ON f.n = p.key & 1099511627775 JOIN file ON file.n = p.key >> 40 ORDER BY f.fp, "
		"file.name");
	dump_query(&b, db, "SELECT hex(fp), suppressed, time, reason FROM mark ORDER BY fp");
	sqlite3_close(db);
	return dh_buf_steal(&b);
}

static inline void assert_intact(const char *name)
{
	struct dh_buf b = DH_BUF_INIT;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(in_dir(name), &db), SQLITE_OK);
	dump_query(&b, db, "PRAGMA integrity_check");
	assert_string_equal(dh_buf_str(&b), "ok|\n");
	dh_buf_release(&b);
	sqlite3_close(db);
}

static inline uint64_t count_all(struct dh_store *s)
{
	uint64_t n = 0;

	assert_ok(dh_store_count(s, &(struct dh_store_query){.suppressed = true}, &n, err));
	return n;
}
